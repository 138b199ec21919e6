import type { AfterFailure, AttemptKind } from '../../contract/deliveries/what-next.ts';
import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import { type AttemptResult, attemptParameters } from './attempts.ts';
import type { SettleOptions } from './settle-accepted.ts';
import { settleFailedSql } from './settle-failed-sql.ts';

export interface FailedAttempt extends AttemptResult {
  readonly kind: AttemptKind;
  readonly after: AfterFailure;
  /**
   * Optional. When the destination last accepted an attempt that may not be in the ledger yet: only later failures are
   * in a row.
   */
  readonly succeededAtMs?: number | undefined;
  /** Optional. Holds the conversation behind a delivery that enters the retry schedule. */
  readonly hold?: { readonly conversationKey: number; readonly untilMs: number } | null;
}

export interface DestinationHealthRules {
  /** From the opening of a circuit to its first probe. */
  readonly firstProbeMs: number;
  /** From the first failure after the last success. */
  readonly disableAfterMs: number;
}

export interface FailedBatch {
  /** Null for attempts that no pump made. */
  readonly lease: { readonly shard: number; readonly fence: number } | null;
  readonly failed: readonly FailedAttempt[];
  readonly rules: DestinationHealthRules;
}

export interface FailedSettlement {
  /** Advanced on their schedule: retrying or exhausted. */
  readonly movedIds: ReadonlySet<number>;
  /** Of `movedIds`: retrying, and their workflow must be started. */
  readonly promotedIds: ReadonlySet<number>;
  /** Failed without advancing; they wait for the circuit. */
  readonly waitingIds: ReadonlySet<number>;
  /** Their workflow must be signalled. */
  readonly failingDestinationIds: readonly number[];
  readonly disabledDestinationIds: readonly number[];
  /** Destinations that another transaction has locked. Their attempts are not recorded. */
  readonly lockedIds: ReadonlySet<number>;
}

interface SettledRow {
  id: number;
  what: 'moved' | 'promoted' | 'waiting' | 'failing' | 'disabled' | 'left_out';
}

/**
 * Applies what `whatNext` decided. A destination's first counted failures in a row enter the retry schedule, and the
 * last of them opens its circuit; later ones wait. Every attempt is logged, but a delivery keeps its state if another
 * process changed it or the fence is outdated.
 */
export async function settleFailed(
  pool: HotPool,
  { lease, failed, rules }: FailedBatch,
  { waits = true }: SettleOptions = {},
): Promise<FailedSettlement> {
  const ordered = failed.toSorted((a, b) => a.deliveryId - b.deliveryId);
  const values = {
    ...attempts.values(ordered),
    retriedIds: ordered
      .filter(({ after }) => after.countsForCircuit === 'unless_accepted')
      .map((one) => one.deliveryId),
    shard: lease?.shard ?? null,
    fence: lease?.fence ?? null,
    waits,
    ...rules,
  };
  const { rows } = failed.length === 0 ? { rows: [] } : await pool.query<SettledRow>(statement(values));
  const idsOf = (...what: SettledRow['what'][]): number[] =>
    rows.filter((row) => what.includes(row.what)).map(({ id }) => id);
  return {
    movedIds: new Set(idsOf('moved', 'promoted')),
    promotedIds: new Set(idsOf('promoted')),
    waitingIds: new Set(idsOf('waiting')),
    failingDestinationIds: idsOf('failing', 'disabled'),
    disabledDestinationIds: idsOf('disabled'),
    lockedIds: new Set(idsOf('left_out')),
  };
}

const statusBefore: Readonly<Record<AttemptKind, DeliveryStatus | null>> = {
  first: 'pending',
  short: 'pending',
  scheduled: 'retrying',
  probe: null,
};
const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const attempts = attemptParameters<FailedAttempt>({
  kind: { type: 'text', of: ({ kind }) => kind },
  status_before: { type: 'text', of: ({ kind }) => statusBefore[kind] },
  next: { type: 'text', of: ({ after }) => after.next },
  next_attempt_at: { type: 'timestamptz', of: ({ after }) => toDate(after.nextAttemptAtMs) },
  pause_ms: { type: 'int', of: ({ after }) => after.pauseMs },
  by_pump: { type: 'boolean', of: ({ after }) => after.next === 'retry' && after.by === 'pump' },
  succeeded_at_ms: { type: 'bigint', of: ({ succeededAtMs }) => succeededAtMs ?? null },
  counts: { type: 'text', of: ({ after }) => after.countsForCircuit },
  may_be_gone: { type: 'boolean', of: ({ after }) => after.mayBeGone },
  conversation_key: { type: 'bigint', of: ({ hold }) => hold?.conversationKey ?? null },
  until_at: { type: 'timestamptz', of: ({ hold }) => toDate(hold?.untilMs ?? null) },
});

const statement = namedStatement<Record<string, unknown>>('settle-failed', settleFailedSql(attempts.sql));
