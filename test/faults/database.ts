import type { Knex } from 'knex';
import { connectDatabase } from '../../db/core/connect-database.ts';
import { until } from '../harness/until.ts';

const PATIENCE_MS = 240_000;

/** Runs a query on its own connection. Retries while the server is down. */
export async function withDatabase<Result>(url: string, act: (db: Knex) => Promise<Result>): Promise<Result> {
  let last: unknown;
  const done = await until(
    async () => {
      const db = connectDatabase({ url, applicationName: 'faults', poolSize: 1 });
      try {
        return { result: await act(db) };
      } catch (error) {
        last = error;
        return undefined;
      } finally {
        await db.destroy();
      }
    },
    { for: 'The database', timeoutMs: PATIENCE_MS, detail: () => String(last) },
  );
  return done.result;
}
