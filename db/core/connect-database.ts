import knex, { type Knex } from 'knex';
import pg from 'pg';

/** Sequence numbers must fit the 62^8 id space, far below 2^53, so int8 values can be numbers. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly poolSize?: number;
  readonly connectWithinMs?: number;
}

/** Readers of changes since an instant wait for the oldest transaction. */
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** All other statements queue behind a schema change that waits for its lock. */
const MIGRATION_LOCK_TIMEOUT_MS = 30_000;
/** One connection holds the migration lock, the other one migrates. */
const MIGRATION_CONNECTIONS = 2;

const silent = (): void => undefined;

/** Creates a pool for all but the hot paths, which use `createHotPool`. */
export function connectDatabase(options: DatabaseOptions): Knex {
  const { url, applicationName, poolSize = 10, connectWithinMs = 5_000 } = options;
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: applicationName,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      connectionTimeoutMillis: connectWithinMs,
      keepAlive: true,
    },
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: 2 * connectWithinMs,
    // Errors are thrown; knex would also print them to the console.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
  });
}

/** Creates a pool without a statement timeout: migrations take time in proportion to the tables. */
export function connectForMigrations({ client }: Knex): Knex {
  const unbound = `set statement_timeout = 0; set lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS}`;
  return knex({
    ...client.config,
    pool: {
      min: 0,
      max: MIGRATION_CONNECTIONS,
      afterCreate(connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) {
        connection.query(unbound, (error) => done(error, connection));
      },
    },
  });
}
