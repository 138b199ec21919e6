import knex, { type Knex } from 'knex';
import pg from 'pg';

/** Sequence numbers stay far below 2^53 (they must fit the 62^8 id space), so int8 may be a number. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly poolSize?: number;
}

/** Statements are short by rule: whoever reads "since" waits for the oldest transaction (design 2.6). */
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

const silent = (): void => undefined;

/** A pool for everything but the hot paths, which hold connections of their own. */
export function connectDatabase({ url, applicationName, poolSize = 10 }: DatabaseOptions): Knex {
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: applicationName,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    },
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: 10_000,
    // What goes wrong is thrown; knex would print it to the console as well.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
  });
}
