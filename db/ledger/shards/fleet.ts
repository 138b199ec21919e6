import { SHARD_COUNT } from '../../../contract/deliveries/shards.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { type HeldLease, isLiveSql, LEASE_MS, LEASES_CHANGED } from './shard-leases.ts';

export type WorkerRole = 'pump' | 'main';

export interface FleetState {
  /** Holders of live workers with the role `pump`, sorted. */
  readonly live: readonly string[];
  /** Those of live workers, and of the worker that reads. */
  readonly leases: readonly (HeldLease & { readonly holder: string })[];
}

export interface FleetMember {
  readonly holder: string;
  readonly roles: readonly WorkerRole[];
  /** Optional. Where the worker takes offers, as `host:port`. Default: it takes none. */
  readonly offersAddress?: string | undefined;
}

interface FleetReading extends FleetState {
  /** The database's clock. */
  readonly nowMs: number;
}

/** The worker gets a share of the shards from now on, as long as it renews its leases. */
export async function joinFleet(pool: HotPool, { holder, roles, offersAddress }: FleetMember): Promise<void> {
  await pool.query(
    `insert into workers (holder, roles, offers_address, seen_at) values ($1, $2, $3, clock_timestamp())
     on conflict (holder) do update set seen_at = excluded.seen_at`,
    [holder, roles, offersAddress ?? null],
  );
}

/** Where live workers take offers. */
export async function readOfferAddresses(pool: HotPool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ address: string }>({
    name: 'read-offer-addresses',
    text: `select w.offers_address as address from workers w
           where ${isLiveSql('w.seen_at')} and w.offers_address is not null`,
    values: [],
  });
  return rows.map(({ address }) => address);
}

/** The other workers share the leaving worker's shards at once. */
export async function leaveFleet(pool: HotPool, holder: string): Promise<void> {
  await pool.query(
    `with gone as (delete from workers where holder = $1 returning holder)
     select pg_notify('deliveries', $2) from gone`,
    [holder, String(LEASES_CHANGED)],
  );
}

export async function readFleet(pool: HotPool, holder: string): Promise<FleetReading> {
  const { rows } = await pool.query<FleetReading>({
    name: 'read-fleet',
    text: `select
             array(select w.holder from workers w where ${isLiveSql('w.seen_at')} and 'pump' = any (w.roles) order by w.holder) as live,
             (select coalesce(json_agg(json_build_object('shard', l.shard, 'fence', l.fence, 'holder', l.holder) order by l.shard), '[]')
              from shard_leases l join workers w on w.holder = l.holder where w.holder = $1 or ${isLiveSql('w.seen_at')}) as leases,
             extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"`,
    values: [holder],
  });
  return rows[0]!;
}

/** Longer than any process is stopped and resumed. */
const FORGET_AFTER_MINUTES = 10;

/** Keeps those whose leases no worker has acquired: they say since when the shards are unserved. */
export async function deleteDeadWorkers(pool: HotPool): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from workers w where seen_at < clock_timestamp() - $1 * interval '1 minute'
       and not exists (select from shard_leases l where l.holder = w.holder)`,
    [FORGET_AFTER_MINUTES],
  );
  return rowCount ?? 0;
}

export interface ShardService {
  readonly unservedCount: number;
  /** Of the shard that has been without a worker for the longest time. 0 if all are served. */
  readonly unservedSeconds: number;
}

export async function readShardService(pool: HotPool): Promise<ShardService> {
  const { rows } = await pool.query<ShardService>({
    name: 'read-shard-service',
    text: `select count(*)::int as "unservedCount",
             coalesce(max(extract(epoch from now() - coalesce(l.released_at,
               w.seen_at + ${LEASE_MS} * interval '1 millisecond', l.acquired_at, i.created_at))), 0)::float8 as "unservedSeconds"
           from installation i cross join generate_series(0, ${SHARD_COUNT - 1}) as s (shard)
           left join shard_leases l on l.shard = s.shard
           left join workers w on w.holder = l.holder
           where not coalesce(${isLiveSql('w.seen_at')}, false)`,
  });
  return rows[0]!;
}
