import { connectDatabase } from '../../db/core/connect-database.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { startPostgres, type StartPostgres } from '../../dev/postgres/embedded-postgres.ts';

/** What PostgreSQL executed, by statement. */
export interface Statement {
  readonly text: string;
  readonly calls: number;
  readonly executionMs: number;
  readonly rows: number;
  readonly walBytes: number;
  readonly buffers: number;
}

const LIBRARY = 'pg_stat_statements';
const LENGTH = 60;

/** Counting costs a few percent, so a figure must not be taken with it. */
export const countsStatements = process.env['BENCH_SPLIT'] !== undefined;

/** The library must be loaded at the start, so the server is started once to say so. */
export async function preloadStatementStatistics(server: StartPostgres): Promise<void> {
  if (!countsStatements) return;
  const postgres = await startPostgres(server);
  const db = connectDatabase({ url: postgres.url, applicationName: 'bench', poolSize: 1 });
  await db.raw(`alter system set shared_preload_libraries = '${LIBRARY}'`);
  await db.raw(`create extension if not exists ${LIBRARY}`);
  await db.destroy();
  await postgres.stop();
}

/** Returns the statements since the last call, by descending time, and begins again. */
export async function readStatements(pool: HotPool): Promise<Statement[] | undefined> {
  if (!countsStatements) return undefined;
  const { rows } = await pool.query<Statement>(`
    select left(regexp_replace(trim(query), '\\s+', ' ', 'g'), ${LENGTH}) as text, calls, total_exec_time as "executionMs",
      rows, wal_bytes::float8 as "walBytes", (shared_blks_hit + shared_blks_read)::float8 as buffers
    from ${LIBRARY} where dbid = (select oid from pg_database where datname = current_database())
    order by total_exec_time desc`);
  await pool.query(`select ${LIBRARY}_reset()`);
  return rows;
}
