import type { Knex } from 'knex';

/** An item that was sent on loses its body, because the event has it. */
export const sentUnroutedBodies: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table unrouted_events add column sent_bytes int;
      comment on column unrouted_events.sent_bytes is 'size of the body, which is emptied when the item is sent on';
    `);
  },
  async down(knex) {
    await knex.raw('alter table unrouted_events drop column sent_bytes');
  },
};
