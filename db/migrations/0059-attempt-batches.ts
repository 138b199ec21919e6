import type { Knex } from 'knex';

/** Which deliveries of a debounced destination one request carried. Rewrites no rows. */
export const attemptBatches: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table attempts add column batch bigint[];
      comment on column attempts.batch is
        'the deliveries in the body of the request, in order; null unless the destination was debounced';
    `);
  },
  async down(knex) {
    await knex.raw('alter table attempts drop column batch');
  },
};
