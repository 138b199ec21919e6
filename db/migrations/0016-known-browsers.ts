import type { Knex } from 'knex';

/** Known browsers count apart, so that strangers' requests use up nothing of the owner's share (docs/agents.md). */
export const knownBrowsers: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table email_registrations
        add column browser_hash bytea constraint "a browser's hash has 32 bytes" check (length(browser_hash) = 32),
        add column known boolean not null default false,
        add constraint "a browser that is told apart is known" check (browser_hash is null or known);
      comment on column email_registrations.browser_hash is
        'the browser that asked, where the address has signed in in it before; null: counted by client_hash';
      comment on column email_registrations.known is
        'the browser, or the client, has shown a right code of this address before';
    `);
  },
  async down(knex) {
    await knex.schema.alterTable('email_registrations', (table) => table.dropColumns('browser_hash', 'known'));
  },
};
