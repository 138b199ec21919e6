import pg from 'pg';

/**
 * Connections for the hot paths (accept, claim, settle). They use `pg` directly, because it plans a named statement
 * once for each connection; planning costs more than execution.
 */
export type HotPool = pg.Pool;

export interface HotPoolOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly connections: number;
  /** Called for errors on idle connections. The next query reconnects. */
  readonly onError: (error: Error) => void;
}

/** Shorter than the pump's heartbeat: a statement that hangs must not outlive the lease by much. */
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Hot statements read few rows by an index. With a large backlog or outdated statistics, the planner sometimes chooses
 * a sequential scan. A generic plan avoids planning for each execution.
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

/** Many byte strings as one parameter. An array of bytea is sent as hex text at three times the size. */
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

/** SQLSTATE classes 22 and 23: the statement is valid, but a value is not. */
export function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);
}
