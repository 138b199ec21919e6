import type { ShardHolder } from '../../../contract/deliveries/shard-holder.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { LEASE_MS, LEASES_CHANGED } from './shard-leases.ts';

export type WorkerRole = 'pump' | 'main';

export interface Resharding {
  /** Null unless the number of shards changes. */
  readonly targetShards: number | null;
  /** Whether destinations may have to move, or have arrived with deliveries under their former shard. */
  readonly isMoving: boolean;
}

export interface FleetState {
  /** Shards that are served. */
  readonly shardCount: number;
  /** Holders of live workers with the role `pump`, sorted. */
  readonly live: readonly string[];
  /** Unexpired leases. */
  readonly leases: readonly { readonly shard: number; readonly holder: string }[];
}

interface FleetReading extends FleetState, Resharding {
  /** The database's clock. */
  readonly nowMs: number;
}

/** A condition on the worker `w`: it is live as long as a lease that it renewed when it was last seen. */
const isLiveSql = `w.seen_at > clock_timestamp() - ${LEASE_MS} * interval '1 millisecond'`;

/** Says that the worker is alive. */
export async function markSeen(
  pool: HotPool,
  { holder, roles }: { holder: string; roles: readonly WorkerRole[] },
): Promise<void> {
  await pool.query({
    name: 'mark-seen',
    text: `insert into workers (holder, roles) values ($1, $2)
           on conflict (holder) do update set seen_at = clock_timestamp()`,
    values: [holder, roles],
  });
}

export async function readFleet(pool: HotPool): Promise<FleetReading> {
  const { rows } = await pool.query<FleetReading>({
    name: 'read-fleet',
    text: `select
             i.delivery_shards as "shardCount", i.target_shards as "targetShards",
             i.target_shards is not null or exists (select from moving_destinations) as "isMoving",
             array(select w.holder from workers w where ${isLiveSql} and 'pump' = any (w.roles) order by w.holder) as live,
             (select coalesce(json_agg(json_build_object('shard', shard, 'holder', holder) order by shard), '[]')
              from shard_leases where expires_at > clock_timestamp() and shard < i.delivery_shards) as leases,
             extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"
           from installation i`,
    values: [],
  });
  return rows[0]!;
}

export async function readShardHolders(pool: HotPool): Promise<{ shard: number; holder?: ShardHolder }[]> {
  const { rows } = await pool.query<{ shard: number; holder: string | null; fence: number }>(
    `select s.shard, w.holder, l.fence
     from installation i cross join lateral generate_series(0, i.delivery_shards - 1) as s (shard)
     left join shard_leases l on l.shard = s.shard and l.expires_at > clock_timestamp()
     left join workers w on w.holder = l.holder
     order by s.shard`,
  );
  return rows.map(({ shard, holder, fence }) => ({ shard, ...(holder !== null && { holder: { holder, fence } }) }));
}

/** Returns whether the number of shards has become smaller than this shard requires. */
export async function isRetired(pool: HotPool, shard: number): Promise<boolean> {
  const { rowCount } = await pool.query('select from installation where delivery_shards <= $1', [shard]);
  return rowCount === 1;
}

/** Returns the retired shards, each with a live worker, and the fence of the last lease. */
export async function readRetiredShards(pool: HotPool): Promise<{ shard: number; holder: ShardHolder }[]> {
  const { rows } = await pool.query<{ shard: number; holder: string; fence: number }>(
    `select l.shard, l.fence, w.holder
     from installation i join shard_leases l on l.shard >= i.delivery_shards
     cross join (
       select w.holder from workers w where ${isLiveSql} and 'pump' = any (w.roles)
       order by w.holder limit 1
     ) w
     order by l.shard`,
  );
  return rows.map(({ shard, holder, fence }) => ({ shard, holder: { holder, fence } }));
}

/** The other workers share the leaving worker's shards at once. */
export async function markGone(pool: HotPool, holder: string): Promise<void> {
  await pool.query(
    `with gone as (delete from workers where holder = $1 returning holder)
     select pg_notify('deliveries', $2) from gone`,
    [holder, String(LEASES_CHANGED)],
  );
}

/** Longer than any process is stopped and resumed. */
const FORGET_AFTER_MINUTES = 10;

export async function deleteDeadWorkers(pool: HotPool): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from workers where seen_at < clock_timestamp() - $1 * interval '1 minute'`,
    [FORGET_AFTER_MINUTES],
  );
  return rowCount ?? 0;
}

export interface ShardLeaseAge {
  readonly shard: number;
  /** Since the present holder acquired the lease. 0 without a holder. */
  readonly heldSeconds: number;
  /** Since the last lease ended. 0 with a holder. */
  readonly unservedSeconds: number;
}

export async function readLeaseAges(pool: HotPool): Promise<readonly ShardLeaseAge[]> {
  const { rows } = await pool.query<ShardLeaseAge>({
    name: 'read-lease-ages',
    text: `select s.shard,
             case when l.expires_at > now()
               then extract(epoch from now() - coalesce(l.acquired_at, l.created_at)) else 0 end::float8 as "heldSeconds",
             greatest(extract(epoch from now() - coalesce(l.expires_at, i.created_at)), 0)::float8 as "unservedSeconds"
           from installation i cross join lateral generate_series(0, i.delivery_shards - 1) as s (shard)
           left join shard_leases l using (shard)
           order by s.shard`,
  });
  return rows;
}
