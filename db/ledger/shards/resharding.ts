import type { Knex } from 'knex';
import { queryRows } from '../../core/query-rows.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { oldestTransactionSql, shardOfSql } from './move-destinations.ts';

/** While destinations move, the pumps serve the shards of both numbers. */
export async function setTargetShards(trx: Knex, count: number): Promise<void> {
  await trx('installation').update({
    target_shards: count,
    delivery_shards: trx.raw('greatest(delivery_shards, ?)', [count]),
  });
}

export interface ReshardingState {
  readonly shards: number;
  /** Null unless destinations move. */
  readonly targetShards: number | null;
  readonly destinations: number;
  /** In another shard than the target's. */
  readonly toMove: number;
  /** Moved, while deliveries may wait under the former shard. */
  readonly moving: number;
  /** Those that serve a shard. */
  readonly liveWorkers: number;
}

const misplacedSql = `d.shard >= 0 and d.shard <> ${shardOfSql('d.id', 'coalesce(i.target_shards, i.delivery_shards)')}`;

export async function readResharding(db: Knex): Promise<ReshardingState> {
  const rows = await queryRows<ReshardingState>(
    db,
    `select i.delivery_shards as shards, i.target_shards as "targetShards",
       (select count(*)::int from destinations where shard >= 0) as destinations,
       (select count(*)::int from destinations d where ${misplacedSql}) as "toMove",
       (select count(*)::int from moving_destinations) as moving,
       (select count(distinct holder)::int from shard_leases where expires_at > clock_timestamp()) as "liveWorkers"
     from installation i`,
    {},
  );
  return rows[0]!;
}

export interface ShardState {
  readonly shard: number;
  readonly holder: string | null;
  readonly destinations: number;
  /** Arrived, while deliveries may wait under their former shard. */
  readonly arriving: number;
}

export async function listShards(db: Knex): Promise<ShardState[]> {
  return await queryRows<ShardState>(
    db,
    `select s.shard, l.holder,
       (select count(*)::int from destinations d where d.shard = s.shard) as destinations,
       (select count(*)::int from moving_destinations m where m.shard = s.shard) as arriving
     from installation i cross join lateral generate_series(0, i.delivery_shards - 1) as s (shard)
     left join shard_leases l on l.shard = s.shard and l.expires_at > clock_timestamp()
     order by s.shard`,
    {},
  );
}

export interface ReshardingClock {
  /** Seconds of the server's clock. */
  readonly nowAt: number;
  /** Start of the oldest running transaction. Null if no transaction runs. */
  readonly oldestTransactionAt: number | null;
}

export async function readReshardingClock(pool: HotPool): Promise<ReshardingClock> {
  const { rows } = await pool.query<ReshardingClock>({
    name: 'read-resharding-clock',
    text: `select extract(epoch from clock_timestamp())::float8 as "nowAt", ${oldestTransactionSql} as "oldestTransactionAt"`,
    values: [],
  });
  return rows[0]!;
}

/** Ends the change if everything is in its place. Call it when all transactions that knew an earlier target have ended. */
export async function finishResharding(pool: HotPool, targetShards: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'finish-resharding',
    text: `
      update installation i set delivery_shards = i.target_shards, target_shards = null
      where i.target_shards = $1
        and not exists (select from moving_destinations)
        and not exists (select from destinations d where ${misplacedSql})
        and not exists (
          select from generate_series($1::int, i.delivery_shards - 1) as s (shard)
          where exists (select from deliveries d where d.shard = s.shard and d.status = 'pending')
            or exists (select from deliveries d where d.shard = s.shard and d.status = 'retrying'))`,
    values: [targetShards],
  });
  return rowCount === 1;
}
