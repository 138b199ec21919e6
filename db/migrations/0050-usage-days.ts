import type { UnwrappedMigration } from './concurrent-index.ts';

/**
 * Counts by day, and how far each source is counted. Without a transaction, so that no statement waits for one table
 * while it locks the other. Repeatable. Reads and rewrites no rows. The order matters: attempts without a transaction id
 * belong to deliveries up to the bound of `earlier_attempts`, and those with one are above the start of `attempts`.
 */
const statements = [
  `create table if not exists usage_days (
    day date not null,
    organization_id bigint not null references organizations (id),
    workspace_id bigint not null references workspaces (id),
    channel_id bigint not null references channels (id),
    events bigint not null default 0,
    deliveries bigint not null default 0,
    attempts bigint not null default 0,
    sends bigint not null default 0,
    publishes bigint not null default 0,
    created_at timestamptz not null default now(),
    primary key (organization_id, day, workspace_id, channel_id),
    constraint "usage is never negative"
      check (least(events, deliveries, attempts, sends, publishes) >= 0)
  )`,
  'create index if not exists usage_days_by_day on usage_days (day)',
  'create index if not exists usage_days_by_workspace on usage_days (workspace_id, day)',
  'create index if not exists usage_days_by_channel on usage_days (channel_id, day)',
  `comment on table usage_days is 'what each channel was used for, by day in UTC; outlives the rows that it counts'`,
  `create table if not exists usage_marks (
    source text primary key,
    counted_to bigint not null,
    next_to bigint,
    next_xid xid8,
    next_at timestamptz,
    counted_until timestamptz not null default '-infinity',
    created_at timestamptz not null default now(),
    constraint "a source of usage is known"
      check (source in ('events', 'deliveries', 'attempts', 'earlier_attempts', 'outbound_calls')),
    constraint "the next bound says when it is final"
      check (num_nulls(next_to, next_xid, next_at) in (0, 3))
  )`,
  `comment on table usage_marks is
    'the number, or the transaction id of attempts, up to which the rows of a source are counted, and the next bound'`,
  `insert into usage_marks (source, counted_to)
    select source, case source when 'attempts' then cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) - 1 else 0 end
    from unnest(array['events', 'deliveries', 'attempts', 'outbound_calls']) as named (source)
    on conflict do nothing`,
  'alter table attempts add column if not exists xid xid8',
  'alter table attempts alter column xid set default pg_current_xact_id()',
  `comment on column attempts.xid is
    'the transaction that inserted the attempt, by which usage counts it once; null if an earlier version did'`,
  `insert into usage_marks (source, counted_to, next_to, next_xid, next_at)
    select 'earlier_attempts', 0, last_value, pg_snapshot_xmax(pg_current_snapshot()), now() from deliveries_id_seq
    on conflict do nothing`,
];

export const usageDays: UnwrappedMigration = {
  config: { transaction: false },
  async up(knex) {
    for (const statement of statements) await knex.raw(statement);
  },
  async down(knex) {
    await knex.raw('alter table attempts drop column xid');
    await knex.raw('drop table usage_marks');
    await knex.raw('drop table usage_days');
  },
};
