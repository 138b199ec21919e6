import pg from 'pg';

/**
 * Connections for the hot paths (accept, claim, settle). They speak plain `pg`, because a named statement is planned
 * once a connection there, and at thousands of events a second planning costs more than running.
 */
export type HotPool = pg.Pool;

export interface HotPoolOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly connections: number;
  /** Told of errors on idle connections: the server went away; the next query connects anew. */
  readonly onError: (error: Error) => void;
}

/** Below the pump's heartbeat: a statement that hangs must not outlive the lease by much. */
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Hot statements touch few rows by an index, whatever the size of the tables. With a backlog of a million rows, or with
 * statistics from before one, the planner would now and then think otherwise. One plan for all parameters: making one
 * anew for each costs more than running it.
 */
const PLANNER_OPTIONS = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c jit=off';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function createHotPool({ url, applicationName, connections, onError }: HotPoolOptions): HotPool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: connections,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    options: PLANNER_OPTIONS,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
  });
  pool.on('error', onError);
  return pool;
}

/** Many byte strings as one parameter and their lengths: arrays of bytea travel as hex text at three times the size. */
export interface PackedBytes {
  readonly blob: Buffer;
  readonly lengths: (number | null)[];
  /** 1-based, as SQL's substring counts. */
  readonly offsets: number[];
}

export function packBytes(parts: readonly (Uint8Array | null)[]): PackedBytes {
  const offsets: number[] = [];
  let offset = 1;
  for (const part of parts) {
    offsets.push(offset);
    offset += part?.length ?? 0;
  }
  return {
    blob: Buffer.concat(parts.filter((part) => part !== null)),
    lengths: parts.map((part) => part?.length ?? null),
    offsets,
  };
}

/** SQLSTATE classes 22 and 23: the database took the statement and refused a value in it. */
export function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);
}
