import type { Knex } from 'knex';

export const replayKeys: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table replays
        add column idempotency_key_hash bytea constraint "the hash of a replay's idempotency key has 32 bytes"
          check (length(idempotency_key_hash) = 32),
        add column request_hash bytea constraint "the hash of a replay's request has 32 bytes"
          check (length(request_hash) = 32),
        add constraint "a replay with a key says what was asked for"
          check ((idempotency_key_hash is null) = (request_hash is null));
      create unique index "a key begins one replay of an organization"
        on replays (organization_id, idempotency_key_hash) where idempotency_key_hash is not null;
    `);
  },
  async down(knex) {
    await knex.raw('drop index "a key begins one replay of an organization"');
    await knex.schema.alterTable('replays', (table) => table.dropColumns('idempotency_key_hash', 'request_hash'));
  },
};
