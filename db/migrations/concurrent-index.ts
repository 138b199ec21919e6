import type { Knex } from 'knex';

/** `on` follows the name in `create index concurrently`: the table, columns and condition. */
interface ConcurrentIndex {
  readonly name: string;
  readonly on: string;
}

/** Knex reads `config` besides `up`. */
export interface UnwrappedMigration extends Knex.Migration {
  readonly config: { readonly transaction: false };
}

/**
 * Builds one index while others write, without a transaction. A failed build leaves an unusable index, which is dropped
 * first. Waits for older snapshots without a lock timeout, because it blocks no other session.
 */
export function concurrentIndex({ name, on }: ConcurrentIndex): UnwrappedMigration {
  return {
    config: { transaction: false },
    up: (knex) =>
      runPatiently(knex, [`drop index concurrently if exists ${name}`, `create index concurrently ${name} on ${on}`]),
  };
}

/** Sends one statement per call: several would form a transaction. */
async function runPatiently(knex: Knex, statements: readonly string[]): Promise<void> {
  const connection: unknown = await knex.client.acquireConnection();
  const run = (sql: string) => knex.raw(sql).connection(connection);
  try {
    const { rows } = await run('show lock_timeout');
    await run('set lock_timeout = 0');
    for (const statement of statements) await run(statement);
    await run(`set lock_timeout = '${rows[0].lock_timeout}'`);
  } finally {
    await knex.client.releaseConnection(connection);
  }
}
