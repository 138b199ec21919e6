import type { HotPool } from '../core/hot-pool.ts';
import { readShardService, type ShardService, type WorkerRole } from '../ledger/shards/fleet.ts';
import { isLiveSql } from '../ledger/shards/shard-leases.ts';
import { type Backlog, readBacklog } from './backlog.ts';
import { type DatabaseState, readDatabaseState } from './database-state.ts';

export interface WorkerStatus {
  /** The worker process. */
  readonly holder: string;
  readonly roles: readonly WorkerRole[];
  readonly shardCount: number;
  /** Since the worker last renewed its leases. */
  readonly seenSeconds: number;
  readonly isLive: boolean;
}

/** What the workers and the database say about the installation. */
export interface InstallationStatus {
  readonly workers: readonly WorkerStatus[];
  readonly shards: ShardService;
  readonly backlog: Backlog;
  readonly database: DatabaseState;
}

export async function readInstallationStatus(pool: HotPool): Promise<InstallationStatus> {
  // One after another: they share few connections, and a slow one must not keep the others from theirs.
  const workers = await readWorkers(pool);
  const shards = await readShardService(pool);
  const backlog = await readBacklog(pool);
  const database = await readDatabaseState(pool);
  return { workers, shards, backlog, database };
}

/** Those that are not live have no more leases, or died in the last minutes. */
async function readWorkers(pool: HotPool): Promise<readonly WorkerStatus[]> {
  const { rows } = await pool.query<WorkerStatus>({
    name: 'read-worker-statuses',
    text: `select w.holder, w.roles, ${isLiveSql('w.seen_at')} as "isLive",
             (select count(*) from shard_leases l where l.holder = w.holder)::int as "shardCount",
             greatest(extract(epoch from clock_timestamp() - w.seen_at), 0)::float8 as "seenSeconds"
           from workers w order by w.holder`,
    values: [],
  });
  return rows;
}
