import type { Knex } from 'knex';

/** Which events of an account the platform sends. */
export const eventSubscriptions: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table channel_health add column subscribed_fields text[], add column missing_fields text[];
      comment on column channel_health.missing_fields is 'fields that the platform refuses; null: not known';
    `);
  },
  async down(knex) {
    await knex.raw('alter table channel_health drop column subscribed_fields, drop column missing_fields');
  },
};
