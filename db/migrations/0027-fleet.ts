import type { Knex } from 'knex';

const up = `
create table workers (
  holder text primary key,
  roles text[] not null constraint "a worker has a role" check (roles <> '{}' and roles <@ '{pump,main}'),
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
comment on table workers is 'worker processes; the shards are shared among those of the role pump seen within the lease time';

create table handed_over_deliveries (
  delivery_id bigint primary key,
  shard smallint not null,
  fence bigint not null,
  destination_id bigint not null,
  conversation_key bigint not null,
  until_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index handed_over_deliveries_by_shard on handed_over_deliveries (shard);
comment on table handed_over_deliveries is
  'requests in flight when a pump released its lease: the next pump skips them until they are settled or overdue';
comment on column handed_over_deliveries.fence is 'of the pump that sent the request; its failure is accepted under this fence';

create table leader_leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table leader_leases is 'tasks that one worker does for the whole installation';

alter table shard_leases add column acquired_at timestamptz;
comment on column shard_leases.acquired_at is 'when the present holder acquired the lease; null before the first acquisition since migration 0027';
`;

export const fleet: Knex.Migration = {
  async up(knex) {
    await knex.raw(up);
  },
  async down(knex) {
    await knex.raw(`
      alter table shard_leases drop column acquired_at;
      drop table leader_leases, handed_over_deliveries, workers;
    `);
  },
};
