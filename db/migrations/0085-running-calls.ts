import type { Knex } from 'knex';

/** Tells a call that still runs from one whose outcome is not known. Reads and rewrites no rows. */
export const runningCalls: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table idempotent_calls add column running_until timestamptz;
      comment on column idempotent_calls.running_until is
        'renewed by the process that makes the call; past or null: the call has ended, or its process died';
    `);
  },
  async down(knex) {
    await knex.raw('alter table idempotent_calls drop column running_until');
  },
};
