import type { Knex } from 'knex';

/** Rewrites only the few rows of `usage_marks`. */
export const usagePositions: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table usage_marks add column at_channel_id bigint not null default 0, add column revision bigint not null default 0;
      comment on column usage_marks.at_channel_id is
        'the channel up to which the attempts between the mark and the next bound are counted';
      comment on column usage_marks.revision is
        'grows with each count, so that rows are not counted twice by counts that run at once';
    `);
  },
  async down(knex) {
    await knex.raw('alter table usage_marks drop column revision, drop column at_channel_id');
  },
};
