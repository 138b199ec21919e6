import type { UnwrappedMigration } from './concurrent-index.ts';

/** What a destination wants of its requests. Without a transaction. Repeatable. Reads and rewrites no rows. */
const statements = [
  'alter table destinations add column if not exists options jsonb',
  `comment on column destinations.options is
    'how the destination wants its requests, where this differs from the defaults; contains no secret'`,
  'alter table destinations add column if not exists credentials_encrypted text',
  `comment on column destinations.credentials_encrypted is
    'static headers and authorization, sealed as JSON; null without any, and erased with the origin of the url'`,
];

export const destinationOptions: UnwrappedMigration = {
  config: { transaction: false },
  async up(knex) {
    for (const statement of statements) await knex.raw(statement);
  },
  async down(knex) {
    await knex.raw('alter table destinations drop column credentials_encrypted, drop column options');
  },
};
