import type { Knex } from 'knex';

/** The order in which a stream of a channel reads what has changed (docs/adr/0015). */
export const deliveryStream: Knex.Migration = {
  async up(knex) {
    await knex.raw('create index deliveries_changed on deliveries (channel_id, xid, id)');
  },
  async down(knex) {
    await knex.raw('drop index deliveries_changed');
  },
};
