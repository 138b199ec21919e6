import type { HotPool } from '../../core/hot-pool.ts';
import { namedStatement, rowColumns } from '../../core/named-statement.ts';
import { isNotified } from '../transitions/move-deliveries-sql.ts';
import { locksSql, successSql } from './failure-counts-sql.ts';

/** What a destination has accepted since this was last recorded. A request with several events counts once. */
export interface AcceptedRequests {
  readonly destinationId: number;
  readonly count: number;
  /** Of the latest one. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface RecordOptions {
  /** Optional. Whether to wait for destinations that another transaction has locked. Default: true. */
  readonly waits?: boolean;
  /** Optional. Default: false. */
  readonly isProbe?: boolean;
}

export interface RecordedRequests {
  /** Destinations whose circuit closed. */
  readonly closedIds: readonly number[];
  /** Destinations that another transaction has locked, of which nothing is recorded. */
  readonly lockedIds: ReadonlySet<number>;
}

/**
 * Records what accepted requests mean for their destinations. Closes an open circuit, unless the receiver requested a
 * pause after the request started; a probe always closes it.
 */
export async function recordAccepted(
  pool: HotPool,
  accepted: readonly AcceptedRequests[],
  { waits = true, isProbe = false }: RecordOptions = {},
): Promise<RecordedRequests> {
  const { rows } = await pool.query<{ id: number; is_left_out: boolean }>(
    statement({ ...columns.values(accepted), waits, isProbe }),
  );
  const { true: leftOut = [], false: closed = [] } = Object.groupBy(rows, (row) => `${row.is_left_out}`);
  return { closedIds: closed.map(({ id }) => id), lockedIds: new Set(leftOut.map(({ id }) => id)) };
}

interface AcceptedAttempt {
  readonly destinationId: number;
  readonly attempt: { readonly startedAtMs: number; readonly durationMs: number };
}

/** As `recordAccepted`, of one attempt. Returns whether the circuit of its destination closed. */
export async function recordAcceptedAttempt(
  pool: HotPool,
  { destinationId, attempt }: AcceptedAttempt,
  options: Pick<RecordOptions, 'isProbe'> = {},
): Promise<boolean> {
  const { startedAtMs, durationMs } = attempt;
  const accepted = { destinationId, count: 1, startedAtMs, endedAtMs: startedAtMs + durationMs };
  const { closedIds } = await recordAccepted(pool, [accepted], options);
  return closedIds.length > 0;
}

const columns = rowColumns<AcceptedRequests>({
  destination_id: { type: 'bigint', of: ({ destinationId }) => destinationId },
  count: { type: 'int', of: ({ count }) => count },
  started_at_ms: { type: 'bigint', of: ({ startedAtMs }) => startedAtMs },
  ended_at_ms: { type: 'bigint', of: ({ endedAtMs }) => endedAtMs },
});

/**
 * Failures that began later stay in a row. When a circuit closes, due heads hold their conversations for at least 30
 * seconds, so that they are sent first. A circuit open for less than a second starts no recovery ramp.
 */
const statement = namedStatement<Record<string, unknown>>(
  'record-accepted',
  `
with ${locksSql},
latest as (
  select destination_id, count, to_timestamp(started_at_ms / 1000.0) as started_at,
    to_timestamp(ended_at_ms / 1000.0) as ended_at
  from ${columns.from('accepted')}
),
${successSql(`l.circuit = 'open' and (l.circuit_reason = 'failures' and not row.is_later
      or latest.started_at >= l.circuit_opened_at or :isProbe)`)},
closed as materialized (
  select l.id, l.shard, v.was_away from verdict v join locked l using (id) where v.closes
),
held as (
  update conversation_holds h set until_at = greatest(h.until_at, now() + interval '30 seconds')
  from closed, deliveries d
  where closed.was_away and h.destination_id = closed.id
    and d.id = h.delivery_id and d.status = 'retrying' and d.next_attempt_at <= now()
),
notified as materialized (select pg_notify('deliveries', shard::text) from closed)
select id, false as is_left_out from closed where ${isNotified}
union all select id, true from left_out`,
);
