import type { Knex } from 'knex';

/** Test events can be read, by the workspace that sent them. Earlier ones stay unread. */
export const testEventWorkspaces: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table test_events add column workspace_id bigint;
      comment on column test_events.workspace_id is 'workspace of the channel when the event was sent; null before 0052';
    `);
  },
  async down(knex) {
    await knex.raw('alter table test_events drop column workspace_id');
  },
};
