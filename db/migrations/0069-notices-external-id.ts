import type { Knex } from 'knex';

/** A notice reports the external id that the link had when the channel was connected. Rewrites no rows. */
export const noticesExternalId: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table connection_notices add column external_id text;
      comment on column connection_notices.external_id is 'the external id of the link when the channel was connected';
    `);
  },
  async down(knex) {
    await knex.raw('alter table connection_notices drop column external_id');
  },
};
