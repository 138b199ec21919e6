import pg from 'pg';

/**
 * Connections for the hot paths (accept, claim, settle). They use `pg` directly, because it plans a named statement once
 * for each connection. At thousands of events a second, planning costs more than execution.
 */
export type HotPool = pg.Pool;

export interface HotPoolOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly connections: number;
  /** Called for errors on idle connections, when the server goes away. The next query reconnects. */
  readonly onError: (error: Error) => void;
}

/** Less than the pump's heartbeat, because a statement that hangs must not outlive the lease by much. */
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Hot statements read few rows by an index, independent of the size of the tables. With a backlog of a million rows, or
 * with statistics from before one, the planner sometimes chooses a sequential scan. A generic plan serves all parameters,
 * because planning for each costs more than execution.
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

/** Many byte strings as one parameter, with their lengths. An array of bytea is sent as hex text at three times the size. */
export interface PackedBytes {
  readonly blob: Buffer;
  readonly lengths: (number | null)[];
  /** 1-based, as for SQL's `substring`. */
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

/** Returns whether the database refused a value of a valid statement (SQLSTATE classes 22 and 23). */
export function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);
}
