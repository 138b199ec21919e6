import type { ExecutionContext } from 'ava';
import { whatNext } from '../../../contract/deliveries/what-next.ts';
import type { Attempt } from '../../../db/ledger/attempts.ts';
import { recordAcceptedAttempt } from '../../../db/ledger/destinations/record-accepted.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import { type FailedAttempt, settleFailed } from '../../../db/ledger/settle-failed.ts';
import { aLease } from './a-lease.ts';
import { aWebhookDestination, deliveryRows, hotLedger, acceptedItems } from './hot-ledger.ts';

export const HOUR_MS = 3_600_000;

export interface StandingRow {
  readonly id: number;
  readonly shard: number;
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly consecutive_failures: number;
  readonly failing_since: Date | null;
  readonly circuit: 'closed' | 'open';
  readonly circuit_reason: string | null;
  readonly circuit_opened_at: Date | null;
  readonly circuit_probe_at: Date | null;
  readonly circuit_closed_at: Date | null;
}

export const refusal = (attempt: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  startedAtMs: Date.now(),
  durationMs: 12,
  outcome: 'rejected',
  status: 500,
  responseHeaders: null,
  responseBody: null,
  error: null,
  ...attempt,
});

const acceptance = (attempt: Partial<Attempt> = {}): Attempt =>
  refusal({ outcome: 'accepted', status: 200, ...attempt });

export type Failure = Partial<Pick<FailedAttempt, 'lease' | 'kind' | 'attempt' | 'hold' | 'succeededAtMs'>> & {
  /** Of this delivery, before this failure. */
  readonly failedInSchedule?: number;
  readonly delayMs?: number | null;
  /** A pause that the receiver requests. */
  readonly pauseMs?: number;
};

export function failedAttempt({
  failedInSchedule = 0,
  kind = failedInSchedule === 0 ? 'first' : 'short',
  attempt = refusal(),
  delayMs = 5_000,
  pauseMs,
  ...others
}: Failure & Pick<FailedAttempt, 'deliveryId' | 'destinationId'>): FailedAttempt {
  const endedAtMs = attempt.startedAtMs + attempt.durationMs;
  const answer = {
    number: attempt.number,
    failedInSchedule,
    status: pauseMs === undefined ? attempt.status : 429,
    endedAtMs,
  };
  return { ...others, kind, attempt, after: whatNext({ kind, ...answer, retryAfterMs: pauseMs, delayMs }) };
}

export async function failingLedger(t: ExecutionContext<unknown>, { events = 10 } = {}) {
  const ledger = await hotLedger(t);
  const { pool, db } = ledger;
  const { id: destinationId, shard } = await aWebhookDestination(ledger, ledger.channel);
  const ids = await acceptedItems(pool, events, (index) => index);
  const { fence } = await aLease(pool, shard);
  const rules = { firstProbeMs: 5_000, disableAfterMs: 120 * HOUR_MS };

  const failure = (deliveryId: number, others: Failure = {}): FailedAttempt => {
    const hold = { conversationKey: ids.indexOf(deliveryId), untilMs: Date.now() + 60_000 };
    return failedAttempt({ deliveryId, destinationId, hold, lease: { shard, fence }, ...others });
  };
  const fail = (failed: readonly FailedAttempt[]) => settleFailed(pool, { rules, failed });
  /** Returns whether the circuit closed. */
  const succeed = async (deliveryId: number, attempt: Partial<Attempt> = {}) => {
    const settled = { deliveryId, destinationId, attempt: acceptance(attempt) };
    await settleAccepted(pool, [settled]);
    return await recordAcceptedAttempt(pool, settled);
  };
  const standing = async () => (await db<StandingRow>('destinations').where({ id: destinationId }).first())!;
  const statuses = async () => (await deliveryRows(pool)).map(({ status }) => status).join();
  return { ...ledger, destinationId, shard, fence, rules, ids, failure, fail, succeed, standing, statuses };
}

export type FailingLedger = Awaited<ReturnType<typeof failingLedger>>;

/** The columns of a destination whose circuit is open. */
export const openCircuitRow = (others: object = {}) => ({
  circuit: 'open',
  circuit_reason: 'failures',
  circuit_opened_at: new Date(),
  circuit_probe_at: new Date(),
  ...others,
});
export const closedCircuitRow = {
  circuit: 'closed',
  circuit_reason: null,
  circuit_opened_at: null,
  circuit_probe_at: null,
};

/** Opens the circuit with five failures. Their deliveries enter the retry schedule. */
export async function openCircuit({ ids, fail, failure }: FailingLedger): Promise<void> {
  await fail(ids.slice(0, 5).map((id) => failure(id)));
}
