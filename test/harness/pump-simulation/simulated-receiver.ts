import { setTimeout as sleep } from 'node:timers/promises';
import type { SentAttempt } from '../../../activities/deliveries/send-delivery.ts';
import { outcomeOfStatus } from '../../../contract/deliveries/outcome-of-status.ts';
import type { Random } from '../random.ts';

/** What a receiver does while it is in trouble. `silent`: it never answers, and takes nothing. */
export type Trouble = 'refuses' | 'overloaded' | 'silent' | 'slow';

/** A request, with its times in Unix milliseconds. */
export interface SimulatedRequest {
  readonly worker: string;
  readonly deliveryId: number;
  readonly destinationId: number;
  readonly conversationKey: number;
  readonly url: string;
  /** Who held the lease of the shard when the request began. */
  readonly holder: string | undefined;
  readonly beganAtMs: number;
  acceptedAtMs?: number;
  endedAtMs?: number;
}

export const ATTEMPT_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;
const USUAL_MS = 30;
const LONG_MS = 500;
const SLOW_MS = 6_000;

/** Records all requests of all workers. */
export class SimulatedReceivers {
  readonly requests: SimulatedRequest[] = [];
  readonly #troubles = new Map<number, { readonly trouble: Trouble; readonly untilMs: number }>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  begin(destinationId: number, trouble: Trouble, forMs: number): void {
    this.#troubles.set(destinationId, { trouble, untilMs: Date.now() + forMs });
  }

  recover(): void {
    this.#troubles.clear();
  }

  troubleOf(destinationId: number): Trouble | undefined {
    const { trouble, untilMs } = this.#troubles.get(destinationId) ?? { untilMs: 0 };
    return untilMs > Date.now() ? trouble : undefined;
  }

  async post(sent: Omit<SimulatedRequest, 'beganAtMs'>, number: number): Promise<SentAttempt> {
    const request: SimulatedRequest = { ...sent, beganAtMs: Date.now() };
    this.requests.push(request);
    await sleep(this.#random.between(0.1, 3));
    const status = await this.#answer(request);
    await sleep(this.#random.between(0.1, 3));
    request.endedAtMs = Date.now();
    const paused = status === 429 ? { 'retry-after': `${RETRY_AFTER_SECONDS}` } : {};
    return {
      number,
      startedAtMs: request.beganAtMs,
      durationMs: request.endedAtMs - request.beganAtMs,
      outcome: status === null ? 'no_response' : outcomeOfStatus(status),
      status,
      responseHeaders: status === null ? null : paused,
      responseBody: null,
      error: status === null ? 'timeout' : null,
    };
  }

  async #answer(request: SimulatedRequest): Promise<number | null> {
    const trouble = this.troubleOf(request.destinationId);
    if (trouble === 'silent') {
      await sleep(ATTEMPT_TIMEOUT_MS);
      return null;
    }
    await sleep(
      this.#random.between(0.1, trouble === 'slow' ? SLOW_MS : this.#random.chance(0.1) ? LONG_MS : USUAL_MS),
    );
    if (trouble === 'refuses') return 500;
    if (trouble === 'overloaded') return 429;
    request.acceptedAtMs = Date.now();
    return 200;
  }
}
