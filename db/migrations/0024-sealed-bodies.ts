import type { Knex } from 'knex';

/** The columns have no default, so that adding them rewrites no table. */
export const sealedBodies: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table events add column body_key_id text;
      alter table unrouted_events
        add column body_key_id text,
        add column event_type text,
        add column conversation_key bigint;
      alter table attempts add column response_body_key_id text;
      alter table test_events add column response_body_key_id text;
      comment on column events.body_key_id is
        'the key of ENCRYPTION_KEYS that sealed the body; null: in the clear';
      comment on column attempts.response_body_key_id is
        'the key of ENCRYPTION_KEYS that sealed the answer; null: in the clear';
    `);
  },
  async down(knex) {
    await knex.raw(`
      alter table test_events drop column response_body_key_id;
      alter table attempts drop column response_body_key_id;
      alter table unrouted_events drop column body_key_id, drop column event_type, drop column conversation_key;
      alter table events drop column body_key_id;
    `);
  },
};
