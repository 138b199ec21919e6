import { setTimeout as sleep } from 'node:timers/promises';
import { NotSent, type SendDelivery } from '../../../activities/deliveries/send-delivery.ts';
import { createLease } from '../../../activities/pump/lease.ts';
import { type PumpFleet, startPumpFleet } from '../../../activities/pump/pump-fleet.ts';
import type { FleetLedger, PumpLedger } from '../../../activities/pump/ledger/pump-ledger.ts';
import { startWorkerPump, type WorkerPump } from '../../../activities/pump/worker-pump.ts';
import type { DeliveryNotifications, DestinationChange } from '../../../db/core/delivery-notifications.ts';
import type { ClaimedDelivery } from '../../../db/ledger/claim.ts';
import type { Permit } from '../../../egress/permit.ts';
import { rememberingLog } from '../quiet-log.ts';
import type { Random } from '../random.ts';
import type { ModelLedger } from './model-ledger.ts';
import { ATTEMPT_TIMEOUT_MS, type SimulatedReceivers } from './simulated-receiver.ts';

/** Short, so that many retries fit into a run. */
export const scheduleMs = [500, 1_000, 2_000, 4_000, ...Array.from({ length: 40 }, () => 8_000)];
export const DESTINATION_IN_FLIGHT = 4;

/** How long a statement takes each way, at most. */
export const STATEMENT_MS = 3;

/** Of the pump's statements. Those of the leases have connections of their own, and fail only with all others. */
interface Weather {
  readonly random: Random;
  /** How long a statement takes each way, at most. */
  readonly statementMs: () => number;
  /** Which share of statements fails, before or after it commits. */
  readonly failingShare: () => number;
}

export interface Surroundings extends Weather {
  readonly model: ModelLedger;
  readonly receivers: SimulatedReceivers;
}

/** A worker with its pump, whose statements and requests take time and may fail. */
export class SimulatedWorker {
  readonly holder: string;
  readonly pump: WorkerPump;
  readonly #fleet: PumpFleet;
  readonly #around: Surroundings;
  readonly #subscribers = new Set<(shards: readonly number[], change?: DestinationChange) => void>();
  #isDead = false;
  #cutUntilMs = -Infinity;
  stopping: Promise<void> | undefined;

  constructor(holder: string, around: Surroundings) {
    this.holder = holder;
    this.#around = around;
    const lease = createLease();
    const log = rememberingLog();
    const ledger = this.#remote(around) as unknown as PumpLedger;
    const { random } = around;
    const calm = { random, statementMs: () => STATEMENT_MS, failingShare: () => 0 };
    const fleetLedger = this.#remote(calm) as unknown as FleetLedger;
    this.pump = startWorkerPump({
      ledger,
      wake: this.#wake(),
      lease,
      sendDelivery: this.#send,
      promote: () => undefined,
      signalCircuits: () => undefined,
      settings: {
        scheduleMs,
        conversationHoldMs: 600_000,
        destinationInFlight: DESTINATION_IN_FLIGHT,
        workspaceInFlight: 64,
        probeDelaysMs: [1_000],
        failingDisableMs: 432_000_000,
        attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
      },
      log,
      holder,
    });
    this.#fleet = startPumpFleet({
      ledger: fleetLedger,
      wake: this.#wake(),
      holder,
      roles: ['pump'],
      pump: this.pump,
      lease,
      log,
    });
  }

  get isRunning(): boolean {
    return !this.#isDead && !this.stopping;
  }

  /** Reaches the database. */
  get isConnected(): boolean {
    return !this.#isDead && Date.now() >= this.#cutUntilMs;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  stop(): void {
    this.stopping ??= this.#fleet.stop();
  }

  /** Nothing that the worker waits for ever comes. What it has sent is under way. */
  crash(): void {
    this.#isDead = true;
    this.#subscribers.clear();
  }

  /** Statements fail, and notifications are lost. */
  cut(forMs: number): void {
    this.#cutUntilMs = Math.max(this.#cutUntilMs, Date.now() + forMs);
    setTimeout(() => this.#hear([], 'unknown'), this.#cutUntilMs - Date.now());
  }

  reconnect(): void {
    this.#cutUntilMs = -Infinity;
    this.#hear([], 'unknown');
  }

  async notified(shards: readonly number[], change?: number): Promise<void> {
    await sleep(this.#around.random.between(0.1, 5));
    if (this.isConnected) this.#hear(shards, change);
  }

  #hear(shards: readonly number[], change?: DestinationChange): void {
    for (const onWake of this.#subscribers) onWake(shards, change);
  }

  #wake(): DeliveryNotifications {
    return {
      subscribe: (onWake) => {
        this.#subscribers.add(onWake);
        return () => this.#subscribers.delete(onWake);
      },
      close: () => Promise.resolve(),
    };
  }

  #remote(weather: Weather) {
    return Object.fromEntries(
      Object.entries(this.#around.model.statements).map(([name, act]) => [
        name,
        (...given: unknown[]) => this.#execute(weather, () => (act as (...given: unknown[]) => unknown)(...given)),
      ]),
    );
  }

  async #execute({ random, statementMs, failingShare }: Weather, act: () => unknown): Promise<unknown> {
    await sleep(random.between(0.1, statementMs()));
    await this.#connection();
    if (random.chance(failingShare())) throw new Error('Connection terminated');
    const result = act();
    await sleep(random.between(0.1, statementMs()));
    await this.#connection();
    if (random.chance(failingShare())) throw new Error('Connection terminated');
    return result;
  }

  async #connection(): Promise<void> {
    if (this.#isDead) await forever();
    if (this.isConnected) return;
    await sleep(50);
    throw new Error('Connection terminated');
  }

  readonly #send: SendDelivery = async (delivery, number, permit) => {
    const { id, shard, destinationId, conversationKey, url } = delivery as ClaimedDelivery;
    if ((await this.#connect(permit!)) === 'withdrawn' || !permit!.isValid()) throw new NotSent('withdrawn');
    const { model, receivers } = this.#around;
    const holder = model.holderOf(shard);
    const sent = { worker: this.holder, deliveryId: id, destinationId, conversationKey, url, holder };
    const attempt = await receivers.post(sent, number);
    if (this.#isDead) await forever();
    return attempt;
  };

  async #connect({ waiting }: Permit): Promise<'connected' | 'withdrawn'> {
    const { random } = this.#around;
    const withdrawn = Promise.withResolvers<'withdrawn'>();
    const holder = { refuse: withdrawn.resolve };
    waiting.add(holder);
    const connected = sleep(random.chance(0.05) ? random.between(0, 500) : random.between(0, 2), 'connected' as const);
    const result = await Promise.race([connected, withdrawn.promise]);
    waiting.delete(holder);
    if (this.#isDead) await forever();
    return result;
  }
}

async function forever(): Promise<never> {
  return await new Promise<never>(() => undefined);
}
