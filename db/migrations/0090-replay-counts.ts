import type { Knex } from 'knex';

/** The count of a replay before its plan may be a lower bound. Rewrites no rows. */
export const replayCounts: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table replays add column is_count_complete boolean not null default true;
      comment on column replays.is_count_complete is 'false: matched is a lower bound until the plan is complete';
    `);
  },
  async down(knex) {
    await knex.raw('alter table replays drop column is_count_complete');
  },
};
