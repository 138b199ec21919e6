import type { HotPool } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import { type AttemptResult, attemptParameters } from './attempts.ts';
import { successSql } from './destinations/success-sql.ts';
import { settleWaiting } from './settle-waiting.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

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
  const left = isProbe ? inOrder(settled) : await settleWaiting(pool, inOrder(settled));
  if (left.length === 0) return [];
  const { rows } = await pool.query<{ id: number }>(statement({ ...attempts.values(left), isProbe }));
  return rows.map(({ id }) => id);
}

export interface UnlockedSettlement {
  readonly closedIds: readonly number[];
  /** Destinations that another transaction has locked. Their attempts are not recorded. */
  readonly leftOutIds: ReadonlySet<number>;
}

/** As `settleAccepted`, but waits for no destination. */
export async function settleAcceptedUnlessLocked(
  pool: HotPool,
  settled: readonly AttemptResult[],
): Promise<UnlockedSettlement> {
  const left = await settleWaiting(pool, inOrder(settled));
  if (left.length === 0) return { closedIds: [], leftOutIds: new Set() };
  const { rows } = await pool.query<{ id: number; is_left_out: boolean }>(
    unlockedStatement({ ...attempts.values(left), isProbe: false }),
  );
  return {
    closedIds: rows.filter((row) => !row.is_left_out).map(({ id }) => id),
    leftOutIds: new Set(rows.filter((row) => row.is_left_out).map(({ id }) => id)),
  };
}

const inOrder = (settled: readonly AttemptResult[]) => settled.toSorted((a, b) => a.deliveryId - b.deliveryId);

const attempts = attemptParameters<AttemptResult>();

/**
 * Overwrites a failure that another pump logged for the same attempt. Failures that began later stay in a row. When a
 * circuit closes, due heads hold their conversations for at least 30 seconds, so that they are sent first. A circuit
 * open for less than a second starts no recovery ramp.
 */
const afterAttemptsSql = `do update set channel_id = excluded.channel_id, started_at = excluded.started_at,
    duration_ms = excluded.duration_ms, outcome = excluded.outcome, status = excluded.status, response_headers = excluded.response_headers,
    response_body = excluded.response_body, response_body_key_id = excluded.response_body_key_id, error = excluded.error,
    request = excluded.request,
    batch = excluded.batch
  where attempts.outcome <> 'accepted'
),
${moveDeliveriesSql({
  source: 'settled s',
  id: 's.id',
  transition: 'deliver',
  where: 'd.id = any (:id::bigint[])',
  set: 'attempt_count = greatest(d.attempt_count, s.number)',
  notify: 'released',
})},
${successSql(`l.circuit = 'open' and (l.circuit_reason = 'failures' and not row.is_later
      or latest.started_at >= l.circuit_opened_at or :isProbe)`)},
closed as materialized (
  select l.id, l.shard, v.was_away from verdict v join locked l using (id) where v.closes
),
held as (
  update conversation_holds h set until_at = greatest(h.until_at, now() + interval '30 seconds')
  from closed, deliveries d
  where closed.was_away and h.destination_id = closed.id
    and d.id = h.delivery_id and d.id <> all (:id::bigint[]) and d.status = 'retrying' and d.next_attempt_at <= now()
)
select id, false as is_left_out, pg_notify('deliveries', shard::text) from closed where ${isNotified}
`;

const statement = namedStatement<Record<string, unknown>>('settle-accepted', `${attempts.sql} ${afterAttemptsSql}`);
const unlockedStatement = namedStatement<Record<string, unknown>>(
  'settle-accepted-unlocked',
  `${attempts.unlockedSql} ${afterAttemptsSql}
union all select id, true, null from left_out`,
);
