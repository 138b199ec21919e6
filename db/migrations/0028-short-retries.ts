import type { Knex } from 'knex';
import { concurrentIndex } from './concurrent-index.ts';

/** Repeatable, because the migration has no transaction. Defaults do not rewrite the tables. */
const columns = [
  'alter table deliveries add column if not exists pump_retries boolean not null default false',
  `comment on column deliveries.pump_retries is
    'while retrying: the pump of the shard makes the next attempt; otherwise a workflow does'`,
  `alter table destinations
    add column if not exists consecutive_since timestamptz,
    add column if not exists recent_accepted real not null default 0,
    add column if not exists recent_failed real not null default 0,
    add column if not exists recent_at timestamptz`,
  `comment on column destinations.consecutive_since is 'when the first of the consecutive failures ended'`,
  `comment on column destinations.recent_accepted is
    'accepted attempts, each counting less the longer before recent_at it was'`,
  `comment on column destinations.recent_failed is
    'failed first attempts before the consecutive ones, counted in the same way'`,
];

/** Deliveries from before the partitions are few and have an index of their status. */
const indexes = [
  concurrentIndex({
    name: 'deliveries_waiting_pump_retries',
    on: "deliveries_waiting (shard, next_attempt_at) where status = 'retrying' and pump_retries",
  }),
  concurrentIndex({
    name: 'deliveries_waiting_with_workflow',
    on: "deliveries_waiting (destination_id) where status = 'retrying' and not pump_retries",
  }),
];

/** Retries that wait without a workflow, and what a circuit knows of the time before its failures (docs/adr/0025). */
export const shortRetries: Knex.Migration & { readonly config: { readonly transaction: false } } = {
  config: { transaction: false },
  async up(knex) {
    for (const statement of columns) await knex.raw(statement);
    for (const index of indexes) await index.up(knex);
  },
  async down(knex) {
    for (const index of indexes) await index.down(knex);
    await knex.raw('alter table deliveries drop column pump_retries');
    await knex.raw(
      'alter table destinations drop column consecutive_since, drop column recent_accepted, drop column recent_failed, drop column recent_at',
    );
  },
};
