import type { Knex } from 'knex';
import { connectDatabase, type DatabaseOptions } from '../../../db/core/connect-database.ts';
import { unansweredAfter } from '../../../db/core/unanswered.ts';

/** Far more than a connection, a statement or a pause within a transaction takes on a busy machine. */
export const PATIENCE_MS = 120_000;

/** Connects like the service, whose timeouts are too short for a machine that pauses for seconds. */
export function connectPatiently(options: Omit<DatabaseOptions, 'connectWithinMs'>): Knex {
  const db = connectDatabase({ ...options, connectWithinMs: PATIENCE_MS });
  const timeouts = { statement_timeout: PATIENCE_MS, idle_in_transaction_session_timeout: PATIENCE_MS };
  Object.assign(db.client.connectionSettings, timeouts, unansweredAfter(PATIENCE_MS));
  return db;
}
