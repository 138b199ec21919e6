import type { Knex } from 'knex';

const up = `
create table moving_destinations (
  destination_id bigint primary key,
  shard smallint not null,
  former_shard smallint not null,
  created_at timestamptz not null default now()
);
create index moving_destinations_by_shard on moving_destinations (shard);
comment on table moving_destinations is
  'destinations that have changed their shard: the pump of the new one also reads the deliveries that wait under the former one';

alter table installation add column target_shards smallint
  constraint "destinations are spread over at least one shard" check (target_shards > 0);
comment on column installation.target_shards is
  'while destinations move: the number of shards that they are spread over afterwards';

alter table handed_over_deliveries add column moved_to smallint;
comment on column handed_over_deliveries.moved_to is 'the shard of the destination if it moved meanwhile; its pump skips the delivery';

comment on column destinations.shard is 'hash of the id mod the number of shards; changes when that number changes';
`;

export const movingDestinations: Knex.Migration = {
  async up(knex) {
    await knex.raw(up);
  },
  async down(knex) {
    await knex.raw(`
      comment on column destinations.shard is 'hash of the id mod installation.delivery_shards, fixed at creation';
      alter table handed_over_deliveries drop column moved_to;
      alter table installation drop column target_shards;
      drop table moving_destinations;
    `);
  },
};
