import type { SkipReason } from '../../../contract/deliveries/status.ts';
import type { HotPool } from '../../core/hot-pool.ts';

/** Bounds the rows that one probe reads, however many deliveries wait. */
const CANDIDATES = 50;
/** Bounds how long one statement locks the destination. */
const BATCH_SIZE = 2_000;

export interface ProbeSearch {
  readonly destinationId: number;
  readonly leastTried: boolean;
  readonly unreadable: readonly number[];
}

/**
 * Chooses a probe among the heads of conversations: preferably the oldest failed one, or with `leastTried` the one with
 * the fewest attempts. Callers alternate, so that one rejected event does not keep the circuit open.
 */
export async function findProbe(
  pool: HotPool,
  { destinationId, leastTried, unreadable }: ProbeSearch,
): Promise<number | undefined> {
  const order = leastTried ? 'attempt_count, id' : 'attempt_count = 0, id';
  const { rows } = await pool.query<{ id: number }>({
    name: leastTried ? 'least-tried-probe' : 'oldest-probe',
    text: `
      with retrying as (
        select id, conversation_key, attempt_count from deliveries
        where destination_id = $1 and status = 'retrying' order by id limit ${CANDIDATES}
      ),
      pending as (
        select d.id, d.conversation_key, d.attempt_count from destinations dest
        cross join lateral (
          select id, conversation_key, attempt_count from deliveries
          where shard = dest.shard and status = 'pending' and destination_id = $1 order by id limit ${CANDIDATES}
        ) d
        where dest.id = $1
      ),
      waiting as (select * from retrying union all select * from pending),
      heads as (
        select distinct on (case when dest.ordering = 'conversation' then w.conversation_key else w.id end) w.*
        from waiting w join destinations dest on dest.id = $1
        order by case when dest.ordering = 'conversation' then w.conversation_key else w.id end, w.id
      )
      select id from heads where id <> all ($2::bigint[]) order by ${order} limit 1`,
    values: [destinationId, unreadable],
  });
  return rows[0]?.id;
}

/** Returns the deliveries that had a workflow. */
export async function exhaustWaiting(
  pool: HotPool,
  { destinationId, olderThanMs }: { destinationId: number; olderThanMs: number },
): Promise<number[]> {
  return await endBatches(pool, { destinationId, status: 'exhausted', reason: null, olderThanMs });
}

/** The pump ends pending deliveries. */
export async function endRetrying(
  pool: HotPool,
  { destinationId, voidAs }: { destinationId: number; voidAs: 'cancelled' | SkipReason },
): Promise<number[]> {
  const end = voidAs === 'cancelled' ? { status: voidAs, reason: null } : { status: 'skipped', reason: voidAs };
  return await endBatches(pool, { destinationId, ...end, olderThanMs: null });
}

export async function findDue(
  pool: HotPool,
  { destinationId, limit }: { destinationId: number; limit: number },
): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `select id from deliveries where destination_id = $1 and status = 'retrying' and next_attempt_at <= now()
     order by id limit $2`,
    [destinationId, limit],
  );
  return rows.map(({ id }) => id);
}

interface EndBatches {
  readonly destinationId: number;
  readonly status: string;
  readonly reason: SkipReason | null;
  /** Null ends all retrying deliveries, but no pending ones. */
  readonly olderThanMs: number | null;
}

async function endBatches(
  pool: HotPool,
  { destinationId, status, reason, olderThanMs }: EndBatches,
): Promise<number[]> {
  const ended: number[] = [];
  for (;;) {
    const { rows } = await pool.query<{ id: number; was: string }>({
      name: 'end-waiting-batch',
      text: endSql,
      values: [destinationId, status, reason, olderThanMs, BATCH_SIZE],
    });
    ended.push(...rows.filter(({ was }) => was === 'retrying').map(({ id }) => id));
    if (rows.length === 0) return ended;
  }
}

/** Locks the destination before its deliveries. Lower ids are older. */
const endSql = `
with l as materialized (
  select id, shard from destinations where id = $1 for no key update
),
oldest as (
  (select d.id, d.status, coalesce(d.restarted_at, d.created_at) as began_at from l cross join lateral (
     select * from deliveries
     where shard = l.shard and status = 'pending' and destination_id = l.id and $4::bigint is not null
     order by id limit $5) d)
  union all
  (select d.id, d.status, coalesce(d.restarted_at, d.created_at) from l cross join lateral (
     select * from deliveries where destination_id = l.id and status = 'retrying' order by id limit $5) d)
),
ended as (
  update deliveries d
  set status = $2, skip_reason = $3, next_attempt_at = null, xid = pg_current_xact_id()
  from oldest o
  where d.id = o.id and d.status in ('pending', 'retrying')
    and ($4::bigint is null or o.began_at < now() - $4::bigint * interval '1 millisecond')
  returning d.id, d.destination_id, d.conversation_key, o.status as was
),
released as (
  delete from conversation_holds h using ended e
  where h.destination_id = e.destination_id and h.conversation_key = e.conversation_key and h.delivery_id = e.id
)
select id, was from ended`;
