import type { Socket } from 'node:net';
import pg from 'pg';
import { retryRaces } from './retry-races.ts';
import { followServerHistory } from './server-history.ts';
import { endsUnanswered } from './unanswered.ts';

/** `pg` plans a named statement once per connection; planning costs more than execution. */
export type HotPool = pg.Pool;

export interface HotPoolOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly connections: number;
  /** Optional. How long a statement waits for a free connection. Default: 3,000 ms. */
  readonly connectWithinMs?: number;
  /** Optional. Default: 10,000 ms. */
  readonly statementTimeoutMs?: number;
  /**
   * Optional. Lets statements skip partitions while they run. Only for statements that lock no rows. Default: false.
   */
  readonly prunesPartitions?: boolean;
  readonly onError: (error: Error) => void;
}

/** Limits how long a hanging statement outlives its pump's lease. */
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Prevents sequential scans after outdated statistics, and planning for each execution. PostgreSQL 18.4 crashes in some
 * statements that wait for a locked row and then prune partitions during execution, as settlements do. The partitions
 * of ended deliveries are excluded by their CHECK constraints instead.
 *
 * A claim locks no rows. Without pruning it would look for each event in all periods.
 */
const plannerOptions = ({ prunesPartitions = false }: HotPoolOptions): string =>
  [
    '-c enable_seqscan=off',
    '-c plan_cache_mode=force_generic_plan',
    '-c jit=off',
    `-c enable_partition_pruning=${prunesPartitions ? 'on' : 'off'}`,
  ].join(' ');

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function createHotPool(options: HotPoolOptions): HotPool {
  const { url, applicationName, connections, onError } = options;
  const { connectWithinMs = 3_000, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: connections,
    statement_timeout: statementTimeoutMs,
    ...endsUnanswered(statementTimeoutMs),
    options: plannerOptions(options),
    connectionTimeoutMillis: connectWithinMs,
    // The pool awaits it.
    onConnect: (client) => followServerHistory(client),
  });
  pool.on('error', onError);
  const query = pool.query.bind(pool) as (...statement: unknown[]) => Promise<unknown>;
  // Each statement is a transaction.
  pool.query = ((...statement: unknown[]) => retryRaces(() => query(...statement))) as typeof pool.query;
  return pool;
}

/** The address of a connection at this end, by which others usually reach the process, too. */
export async function localAddressOf(pool: HotPool): Promise<string> {
  const client = await pool.connect();
  try {
    const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    return stream.localAddress ?? '127.0.0.1'; // a Unix socket has none
  } finally {
    client.release();
  }
}

/** Byte strings as one parameter: `bytea[]` is sent as hex text at three times the size. */
export interface PackedBytes {
  readonly blob: Buffer;
  readonly lengths: (number | null)[];
  /** 1-based, for SQL `substring`. */
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

/** Returns whether a value is invalid (SQLSTATE class 22 or 23). */
export function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);
}
