import type { Knex } from 'knex';

/** Staff send unrouted events on after their channel is connected. */
export const sentUnroutedEvents: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table unrouted_events add column sent_at timestamptz;
      comment on column unrouted_events.sent_at is 'when staff sent it on to the channel that was connected later';
    `);
  },
  async down(knex) {
    await knex.raw('alter table unrouted_events drop column sent_at');
  },
};
