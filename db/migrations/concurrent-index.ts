import type { Knex } from 'knex';

/** What `create index concurrently` says after the name: the table, the columns and the condition. */
export interface ConcurrentIndex {
  readonly name: string;
  readonly on: string;
}

/** What the library reads beside `up` and `down`. */
interface UnwrappedMigration extends Knex.Migration {
  readonly config: { readonly transaction: false };
  down(knex: Knex): Promise<void>;
}

/**
 * A migration of one index, built while others write. It is in no transaction and is not undone when it is cut off: what a
 * build that failed has left behind under the name serves nobody, and is dropped first. It waits for whoever holds an older
 * snapshot, however long that takes, since nobody queues behind it meanwhile.
 */
export function concurrentIndex({ name, on }: ConcurrentIndex): UnwrappedMigration {
  const drop = `drop index concurrently if exists ${name}`;
  return {
    config: { transaction: false },
    up: (knex) => runPatiently(knex, [drop, `create index concurrently ${name} on ${on}`]),
    down: (knex) => runPatiently(knex, [drop]),
  };
}

/** One statement a call: several in one would be a transaction. */
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
