import type { AttemptOutcome } from '../../contract/deliveries/status.ts';
import { FAILURES_TO_OPEN } from '../../contract/destinations/circuit.ts';
import { packBytes, type HotPool } from '../core/hot-pool.ts';
import type { VoidDelivery } from './claim.ts';
import { acceptedSql, failedSql } from './settle-sql.ts';

export interface Attempt {
  readonly number: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: Uint8Array | null;
  /** Optional. Null if plaintext. */
  readonly responseBodyKeyId?: string | null;
  readonly error: string | null;
}

export interface AttemptResult {
  readonly deliveryId: number;
  readonly destinationId: number;
  readonly attempt: Attempt;
}

export interface FailedFirstAttempt extends AttemptResult {
  /** Null if exhausted. */
  readonly nextAttemptAtMs: number | null;
  /** Null if unordered. */
  readonly hold: { readonly conversationKey: number; readonly untilMs: number } | null;
  /** Null without a requested pause. */
  readonly pauseMs: number | null;
}

export interface DestinationHealthRules {
  /** From the opening of a circuit to its first probe. */
  readonly firstProbeMs: number;
  /** From the first failure after the last success. */
  readonly disableAfterMs: number;
}

export interface FailedSettlement {
  readonly movedIds: ReadonlySet<number>;
  /** Failed but pending until the circuit closes. */
  readonly waitingIds: ReadonlySet<number>;
  /** Their workflow must be signalled. */
  readonly failingDestinationIds: readonly number[];
}

/**
 * Records accepted attempts regardless of row status and lease, because the receiver has the event. Closes an open
 * circuit, unless the receiver requested a pause after the attempt started; a probe always closes it. Returns the
 * destinations whose circuit closed.
 */
export async function settleAccepted(
  pool: HotPool,
  settled: readonly AttemptResult[],
  { isProbe = false }: { readonly isProbe?: boolean } = {},
): Promise<readonly number[]> {
  if (settled.length === 0) return [];
  const values = [...attemptColumns(inOrder(settled)), isProbe];
  const { rows } = await pool.query<{ id: number }>({ name: 'settle-accepted', text: acceptedSql, values });
  return rows.map(({ id }) => id);
}

/**
 * A destination's first consecutive failures enter the retry schedule, and the last of them opens its circuit; later
 * ones stay pending. Every attempt is logged, but a delivery keeps its state if another process changed it or the fence
 * is outdated.
 */
export async function settleFailed(
  pool: HotPool,
  { shard, fence, failed: given, rules }: FailedBatch,
): Promise<FailedSettlement> {
  const failed = inOrder(given);
  const { rows } =
    given.length === 0
      ? { rows: [] }
      : await pool.query<SettledRow>({
          name: 'settle-failed',
          text: failedSql,
          values: [
            ...attemptColumns(failed),
            failed.map(({ nextAttemptAtMs }) => toDate(nextAttemptAtMs)),
            failed.map(({ hold }) => hold?.conversationKey ?? null),
            failed.map(({ hold }) => toDate(hold?.untilMs ?? null)),
            shard,
            fence,
            failed.map(({ pauseMs }) => pauseMs),
            rules.firstProbeMs,
            rules.disableAfterMs,
            FAILURES_TO_OPEN,
          ],
        });
  const idsOf = (what: SettledRow['what']): number[] => rows.filter((row) => row.what === what).map(({ id }) => id);
  return {
    movedIds: new Set(idsOf('moved')),
    waitingIds: new Set(idsOf('waiting')),
    failingDestinationIds: idsOf('troubled'),
  };
}

interface FailedBatch {
  readonly shard: number;
  readonly fence: number;
  readonly failed: readonly FailedFirstAttempt[];
  readonly rules: DestinationHealthRules;
}

interface SettledRow {
  id: number;
  what: 'moved' | 'waiting' | 'troubled';
}

export async function settleVoided(
  pool: HotPool,
  { shard, fence, voided }: { shard: number; fence: number; voided: readonly VoidDelivery[] },
): Promise<void> {
  if (voided.length === 0) return;
  await pool.query({
    name: 'settle-voided',
    text: `update deliveries d
           set status = v.status, skip_reason = v.reason, xid = pg_current_xact_id()
           from unnest($1::bigint[], $2::text[], $3::text[]) as v (id, status, reason)
           where d.id = v.id and d.status = 'pending'
             and exists (select from shard_leases where shard = $4 and fence = $5)`,
    values: [
      voided.map(({ id }) => id),
      voided.map(({ end }) => end.status),
      voided.map(({ end }) => (end.status === 'skipped' ? end.reason : null)),
      shard,
      fence,
    ],
  });
}

function inOrder<Settled extends AttemptResult>(settled: readonly Settled[]): Settled[] {
  return settled.toSorted((a, b) => a.deliveryId - b.deliveryId);
}

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

function attemptColumns(settled: readonly AttemptResult[]): unknown[] {
  const attempts = settled.map(({ attempt }) => attempt);
  const bodies = packBytes(attempts.map(({ responseBody }) => responseBody));
  return [
    settled.map(({ deliveryId }) => deliveryId),
    settled.map(({ destinationId }) => destinationId),
    attempts.map(({ number }) => number),
    attempts.map(({ startedAtMs }) => startedAtMs),
    attempts.map(({ durationMs }) => durationMs),
    attempts.map(({ outcome }) => outcome),
    attempts.map(({ status }) => status),
    attempts.map(({ responseHeaders }) => responseHeaders && JSON.stringify(responseHeaders)),
    attempts.map(({ error }) => error),
    bodies.offsets,
    bodies.lengths,
    bodies.blob,
    attempts.map(({ responseBodyKeyId }) => responseBodyKeyId ?? null),
  ];
}
