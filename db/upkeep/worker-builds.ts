import type { Knex } from 'knex';
import type { HotPool } from '../core/hot-pool.ts';

export interface WorkerBuild {
  /** The worker process. */
  readonly holder: string;
  readonly buildId: string;
}

/** Several rounds of a worker that is busy. A worker that stops deletes its row. */
const LIVE_SECONDS = 20;

/** Records that the worker runs the workflows of its build. */
export async function markBuild(pool: HotPool, { holder, buildId }: WorkerBuild): Promise<void> {
  await pool.query(
    `insert into worker_builds (holder, build_id) values ($1, $2)
     on conflict (holder) do update set build_id = excluded.build_id, seen_at = clock_timestamp()`,
    [holder, buildId],
  );
}

export async function deleteBuild(pool: HotPool, holder: string): Promise<void> {
  await pool.query('delete from worker_builds where holder = $1', [holder]);
}

const liveBuilds = `
  select build_id as "buildId", count(*)::int as count from worker_builds
  where seen_at > clock_timestamp() - interval '${LIVE_SECONDS} seconds'
  group by build_id`;

interface LiveBuild {
  readonly buildId: string;
  readonly count: number;
}

/** Returns the number of live workers by build id. */
export async function countLiveBuilds(pool: HotPool): Promise<ReadonlyMap<string, number>> {
  return byBuild((await pool.query<LiveBuild>(liveBuilds)).rows);
}

/** As `countLiveBuilds`, for commands. */
export async function readLiveBuilds(db: Knex): Promise<ReadonlyMap<string, number>> {
  return byBuild((await db.raw<{ rows: LiveBuild[] }>(liveBuilds)).rows);
}

function byBuild(rows: readonly LiveBuild[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ buildId, count }) => [buildId, count]));
}

/** Deletes the rows of workers that ended without deleting them. */
export async function deleteLostBuilds(pool: HotPool): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from worker_builds where seen_at < clock_timestamp() - $1 * interval '1 second'`,
    [LIVE_SECONDS],
  );
  return rowCount ?? 0;
}
