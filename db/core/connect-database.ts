import knex, { type Knex } from 'knex';
import pg from 'pg';
import { isReadOnly as isReadOnlyError } from './database-unavailable.ts';
import { MIGRATION_LOCK_TIMEOUT_MS } from './patient-migration.ts';
import { followServerHistory } from './server-history.ts';
import { endsUnanswered, isUnanswered } from './unanswered.ts';

/** Sequence numbers stay far below 2^53, so int8 values can be numbers. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DatabaseOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly poolSize?: number;
  readonly connectWithinMs?: number;
  /** Optional. Refuses writes, as a replica does. Default: false. */
  readonly isReadOnly?: boolean;
  /** Optional. Default: 30 s. */
  readonly statementTimeoutMs?: number;
}

/** Change readers stop at the oldest running transaction. */
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** Tells the sessions of a migration from the others. */
export const MIGRATION_APPLICATION = 'service-migration';
/** One connection holds the migration lock. */
const MIGRATION_CONNECTIONS = 2;

const silent = (): void => undefined;

export function connectDatabase(options: DatabaseOptions): Knex {
  const { url, applicationName, poolSize = 10, connectWithinMs = 5_000, isReadOnly = false } = options;
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const uselessSessions = new Set<string>();
  const db = knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: applicationName,
      statement_timeout: statementTimeoutMs,
      ...endsUnanswered(statementTimeoutMs),
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      connectionTimeoutMillis: connectWithinMs,
      ...(isReadOnly && { options: '-c default_transaction_read_only=on' }),
    },
    pool: {
      min: 0,
      max: poolSize,
      ...(!isReadOnly && { afterCreate: followOrEnd }),
      validate: ({ __knexUid: session }: { readonly __knexUid: string }) => !uselessSessions.delete(session),
    },
    acquireConnectionTimeout: 2 * connectWithinMs,
    // knex would also print the errors that it throws
    log: { warn: silent, error: silent, deprecate: silent, debug: silent },
  });
  // A session keeps the database's setting that it began with. Statements succeed again on a new one.
  db.on('query-error', (error: Error, { __knexUid: session }: { readonly __knexUid: string }) => {
    if (isUnanswered(error) || (!isReadOnly && isReadOnlyError(error))) uselessSessions.add(session);
  });
  return db;
}

type AfterCreate = (error: Error | null, connection: pg.Client) => void;

/** The pool does not end a connection that it refuses. */
function followOrEnd(connection: pg.Client, done: AfterCreate): void {
  followServerHistory(connection).then(
    () => done(null, connection),
    (error: Error) => connection.end(() => done(error, connection)),
  );
}

export function connectForMigrations({ client }: Knex): Knex {
  const session = `set statement_timeout = 0; set lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS};
    set application_name = '${MIGRATION_APPLICATION}'`;
  return knex({
    ...client.config,
    connection: { ...client.config.connection, query_timeout: 0 },
    pool: {
      min: 0,
      max: MIGRATION_CONNECTIONS,
      afterCreate(connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) {
        connection.query(session, (error) => done(error, connection));
      },
    },
  });
}
