import knex, { type Knex } from 'knex';
import pg from 'pg';

/** Sequence numbers stay far below 2^53 (they must fit the 62^8 id space), so int8 may be a number. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly poolSize?: number;
  /** After which a connection that is not there yet is given up. */
  readonly connectWithinMs?: number;
}

/** Statements are short by rule: whoever reads "since" waits for the oldest transaction (design 2.6). */
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** A change of the schema that gets no lock gives up then: everything else would queue behind it. */
const MIGRATION_LOCK_TIMEOUT_MS = 30_000;
/** One connection holds the lock of migrations, the other migrates. */
const MIGRATION_CONNECTIONS = 2;

const silent = (): void => undefined;

/** A pool for everything but the hot paths, which hold connections of their own. */
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
    // What goes wrong is thrown; knex would print it to the console as well.
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
  });
}

/** A pool to the same database for migrations, whose statements take as long as a table is large. */
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
