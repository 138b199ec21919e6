import type { HotPool } from '../../db/core/hot-pool.ts';

export interface Storage {
  readonly tableBytes: number;
  readonly updates: number;
  readonly hotUpdates: number;
  readonly autovacuums: number;
  readonly deadRows: number;
}

/** Includes partitions. */
const storageSql = `
select sum(pg_total_relation_size(relid))::float8 as "tableBytes", sum(n_tup_upd)::float8 as updates,
  sum(n_tup_hot_upd)::float8 as "hotUpdates", sum(autovacuum_count)::float8 as autovacuums,
  sum(n_dead_tup)::float8 as "deadRows"
from pg_stat_user_tables`;

export async function readStorage(pool: HotPool): Promise<Storage> {
  const { rows } = await pool.query<Storage>(storageSql);
  return rows[0]!;
}
