import type { Knex } from 'knex';

/** Rewrites no rows. */
export const callerRequestIds: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table audit_entries add column caller_request_id text;
      alter table outbound_calls add column caller_request_id text;
      comment on column audit_entries.caller_request_id is 'the x-request-id that the caller chose; null: none';
      comment on column outbound_calls.caller_request_id is 'the x-request-id that the caller chose; null: none';
    `);
  },
  async down(knex) {
    await knex.raw(`
      alter table audit_entries drop column caller_request_id;
      alter table outbound_calls drop column caller_request_id;
    `);
  },
};
