import type { UnwrappedMigration } from './concurrent-index.ts';

/** What a receiver should know before it answers, and the second id of the recipient of a scheduled message. */
export const eventFlags: UnwrappedMigration = {
  // Each statement locks one table, so that no statement waits for one while it locks the other.
  config: { transaction: false },
  up: async (knex) => {
    await knex.raw('alter table events add column if not exists flags text');
    await knex.raw(
      `comment on column events.flags is 'echo, unsend or both with a comma, as in the header of deliveries'`,
    );
    await knex.raw(`
      alter table scheduled_messages add column if not exists other_recipient_hash bytea
        constraint "the hash of a message's other recipient has 32 bytes" check (length(other_recipient_hash) = 32)`);
    await knex.raw(`
      comment on column scheduled_messages.other_recipient_hash is
        'of the second id, for a message to a phone number and a user id of one person'`);
  },
  down: async (knex) => {
    await knex.raw('alter table scheduled_messages drop column other_recipient_hash');
    await knex.raw('alter table events drop column flags');
  },
};
