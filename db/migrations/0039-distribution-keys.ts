import type { UnwrappedMigration } from './concurrent-index.ts';

/** Without a transaction, so that no statement waits for one table while it locks the other. Repeatable. */
const statements = ['attempts', 'conversation_holds'].flatMap((table) => [
  `alter table ${table} add column if not exists channel_id bigint`,
  `comment on column ${table}.channel_id is
    'the distribution key of a distributed PostgreSQL (docs/adr/0026); null in rows from before migration 0039'`,
]);

/** The channel of a row, as in the other tables of the ledger. Reads and rewrites no rows. */
export const distributionKeys: UnwrappedMigration = {
  config: { transaction: false },
  async up(knex) {
    for (const statement of statements) await knex.raw(statement);
  },
  async down(knex) {
    await knex.raw('alter table conversation_holds drop column channel_id');
    await knex.raw('alter table attempts drop column channel_id');
  },
};
