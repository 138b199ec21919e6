import type { HotPool } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

export interface ReleaseRequest {
  readonly shard: number;
  readonly fence: number;
  readonly limit: number;
}

export interface ReleasedRetries {
  readonly count: number;
  /** Until the next retry of the shard is due, by the clock of the database. Null without one. */
  readonly nextInMs: number | null;
}

/**
 * Makes due retries of the pump pending, so that the next claim sends them: in order, within the limits of their
 * destination, and not while its circuit is open.
 */
export async function releaseDueRetries(pool: HotPool, request: ReleaseRequest): Promise<ReleasedRetries> {
  const { rows } = await pool.query<{ count: number; next_in_ms: number | null }>(statement(request));
  return { count: rows[0]!.count, nextInMs: rows[0]!.next_in_ms };
}

const statement = namedStatement<ReleaseRequest>(
  'release-due-retries',
  `
with due as materialized (
  select id from deliveries
  where shard = :shard and status = 'retrying' and pump_retries and next_attempt_at <= now()
    and exists (select from shard_leases where shard = :shard and fence = :fence)
  order by next_attempt_at limit :limit for update skip locked
),
${moveDeliveriesSql({ source: 'due', id: 'due.id', transition: 'return', where: 'd.pump_retries', notify: 'released' })}
select count(*)::int as count, (
  select greatest(extract(epoch from next_attempt_at - now())::float8 * 1000, 0) from deliveries
  where shard = :shard and status = 'retrying' and pump_retries and id not in (select id from due)
  order by next_attempt_at limit 1) as next_in_ms
from moved where ${isNotified}`,
);
