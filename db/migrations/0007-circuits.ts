import type { Knex } from 'knex';

/** The health and the circuit of each destination (docs/adr/0011). */
const standing = `
alter table destinations
  add column consecutive_failures integer not null default 0,
  add column failing_since timestamptz,
  add column failing_delivery_id bigint,
  add column failed_several boolean not null default false,
  add column standing_since timestamptz not null default now(),
  add column circuit text not null default 'closed'
    constraint "a circuit is closed or open" check (circuit in ('closed', 'open')),
  add column circuit_reason text
    constraint "a circuit opens for a known reason" check (circuit_reason in ('failures', 'retry_after')),
  add column circuit_opened_at timestamptz,
  add column circuit_probe_at timestamptz,
  add column circuit_closed_at timestamptz,
  add constraint "an open circuit says why, since when and until when" check (
    case circuit when 'open' then num_nulls(circuit_reason, circuit_opened_at, circuit_probe_at) = 0
                 else num_nonnulls(circuit_reason, circuit_opened_at, circuit_probe_at) = 0 end);
create index destinations_open on destinations (shard, circuit_probe_at) where circuit = 'open';
comment on column destinations.consecutive_failures is 'first attempts that failed since the last 2xx';
comment on column destinations.failing_since is 'the first failure after the last 2xx; null while none has failed';
comment on column destinations.failing_delivery_id is 'the delivery that failed then';
comment on column destinations.failed_several is 'another delivery has failed since: it is not one bad event';
comment on column destinations.standing_since is 'when it was made, aimed elsewhere or enabled: what failed before counts no more';
comment on column destinations.circuit_probe_at is 'nothing goes before; then its workflow probes';
`;

const deliveries = `
alter table deliveries add column restarted_at timestamptz;
comment on column deliveries.restarted_at is 'when a person last began a new schedule: the age of the schedule counts from there';
create index deliveries_retrying_by_destination on deliveries (destination_id, id) where status = 'retrying';
`;

export const circuits: Knex.Migration = {
  async up(knex) {
    await knex.raw(standing);
    await knex.raw(deliveries);
  },
  async down(knex) {
    await knex.raw('drop index deliveries_retrying_by_destination');
    await knex.schema.alterTable('deliveries', (table) => table.dropColumns('restarted_at'));
    await knex.raw('drop index destinations_open');
    await knex.schema.alterTable('destinations', (table) =>
      table.dropColumns(
        ...['consecutive_failures', 'failing_since', 'failing_delivery_id', 'failed_several', 'standing_since'],
        ...['circuit', 'circuit_reason', 'circuit_opened_at', 'circuit_probe_at', 'circuit_closed_at'],
      ),
    );
  },
};
