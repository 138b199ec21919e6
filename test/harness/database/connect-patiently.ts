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
  refuseAfterDestroy(db.client.pool);
  return db;
}

interface Pool {
  readonly destroyed: boolean;
  acquire(): { abort(): void };
}

/**
 * A destroyed pool aborts the acquisitions that are pending at that moment, but never answers later ones, such as that of
 * a request whose browser has left. Until its timeout, such an acquisition would keep the process of the test open.
 */
function refuseAfterDestroy(pool: Pool): void {
  const acquire = pool.acquire.bind(pool);
  pool.acquire = () => {
    const pending = acquire();
    if (pool.destroyed) pending.abort();
    return pending;
  };
}
