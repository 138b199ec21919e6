import type { HotPool } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import { type AttemptResult, attemptParameters } from './attempts.ts';
import { successSql } from './destinations/success-sql.ts';
import { settleWaiting } from './settle-waiting.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

export interface SettleOptions {
  /** Optional. Whether to wait for destinations that another transaction has locked. Default: true. */
  readonly waits?: boolean;
}

export interface AcceptedSettlement {
  /** Destinations whose circuit closed. */
  readonly closedIds: readonly number[];
  /** Destinations that another transaction has locked. Their attempts are not recorded. */
  readonly lockedIds: ReadonlySet<number>;
}

/**
 * Records accepted attempts regardless of row status and lease, because the receiver has the event. Closes an open
 * circuit, unless the receiver requested a pause after the attempt started; a probe always closes it.
 */
export async function settleAccepted(
  pool: HotPool,
  settled: readonly AttemptResult[],
  { isProbe = false, waits = true }: SettleOptions & { readonly isProbe?: boolean } = {},
): Promise<AcceptedSettlement> {
  const ordered = settled.toSorted((a, b) => a.deliveryId - b.deliveryId);
  const tried = isProbe ? { left: ordered, lockedIds: [] } : await settleWaiting(pool, ordered);
  const lockedIds = new Set<number>(waits ? [] : tried.lockedIds);
  const left = tried.left.filter(({ destinationId }) => !lockedIds.has(destinationId));
  if (left.length === 0) return { closedIds: [], lockedIds };
  const { rows } = await pool.query<{ id: number; is_left_out: boolean }>(
    statement({ ...attempts.values(left), isProbe, waits }),
  );
  for (const { id, is_left_out: isLeftOut } of rows) if (isLeftOut) lockedIds.add(id);
  return { closedIds: rows.filter((row) => !row.is_left_out).map(({ id }) => id), lockedIds };
}

const attempts = attemptParameters<AttemptResult>();

/**
 * Overwrites a failure that another pump logged for the same attempt. Failures that began later stay in a row. When a
 * circuit closes, due heads hold their conversations for at least 30 seconds, so that they are sent first. A circuit
 * open for less than a second starts no recovery ramp.
 */
const statement = namedStatement<Record<string, unknown>>(
  'settle-accepted',
  `${attempts.sql} do update set channel_id = excluded.channel_id, started_at = excluded.started_at,
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
union all select id, true, null from left_out`,
);
