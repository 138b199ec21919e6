import type { Knex } from 'knex';

/** The first connection records the history. */
export const serverHistory: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table installation add column server_history text;
      comment on column installation.server_history is
        'identifier and timeline of the server that gave the last ids; another one skips ids first';
    `);
  },
  async down(knex) {
    await knex.raw('alter table installation drop column server_history');
  },
};
