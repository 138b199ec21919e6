import type { UnwrappedMigration } from './concurrent-index.ts';

/** What each attempt sent. Without a transaction. Repeatable. Reads and rewrites no rows. */
const statements = ['attempts', 'test_events'].flatMap((table) => [
  `alter table ${table} add column if not exists request bytea`,
  `comment on column ${table}.request is
    'what was sent, packed by pack-request.ts; null for attempts of earlier versions and if nothing was sent'`,
]);

export const sentRequests: UnwrappedMigration = {
  config: { transaction: false },
  async up(knex) {
    for (const statement of statements) await knex.raw(statement);
  },
  async down(knex) {
    for (const table of ['test_events', 'attempts']) await knex.raw(`alter table ${table} drop column request`);
  },
};
