import type { Knex } from 'knex';

/** Keeps what a refusal of the platform means, so that a later answer can name it. Reads and rewrites no rows. */
export const refusalCodes: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table media_containers add column refusal_code text, add column refusal_retry_at timestamptz;
      comment on column media_containers.refusal_code is
        'the error code of the last refused create or publish; null without a refusal, and for those of earlier versions';
      comment on column media_containers.refusal_retry_at is 'when a repeat may succeed; null if it does not help';
      alter table scheduled_messages add column refusal_code text;
      comment on column scheduled_messages.refusal_code is 'the error code of the refusal that ended the message';
    `);
  },
  async down(knex) {
    await knex.raw(`
      alter table scheduled_messages drop column refusal_code;
      alter table media_containers drop column refusal_code, drop column refusal_retry_at;
    `);
  },
};
