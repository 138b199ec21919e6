import type { Knex } from 'knex';

/** Customers have a share of the running replays. Rewrites no rows. */
export const portalReplays: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table replays add column by_portal boolean not null default false;
      comment on column replays.by_portal is 'whether a customer started it through a portal link';
    `);
  },
  async down(knex) {
    await knex.raw('alter table replays drop column by_portal');
  },
};
