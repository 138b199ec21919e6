import type { Knex } from 'knex';

/** A channel's stream reads changes in this order (docs/adr/0015). */
export const deliveryStream: Knex.Migration = {
  async up(knex) {
    await knex.raw('create index deliveries_changed on deliveries (channel_id, xid, id)');
  },
  async down(knex) {
    await knex.raw('drop index deliveries_changed');
  },
};
