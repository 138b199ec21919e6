import type { UnwrappedMigration } from './concurrent-index.ts';

/** Without a transaction, so that no statement waits for one table while it locks the other. Repeatable. */
const statements = [
  'alter table events add column if not exists erased_at timestamptz',
  `comment on column events.erased_at is 'when the body and the personal columns were erased; null if they are there'`,
  `create table if not exists erasures (
    id bigint generated always as identity primary key,
    public_id text not null unique,
    organization_id bigint not null references organizations (id),
    kind text not null,
    event_id bigint,
    sender text,
    workspace_id bigint references workspaces (id),
    channel_id bigint references channels (id),
    reason text not null,
    status text not null default 'erasing',
    step text not null default 'events',
    at_channel_id bigint not null default 0,
    at_id bigint not null default 0,
    next_step_at timestamptz,
    xid xid8 not null default pg_current_xact_id(),
    counts jsonb not null default '{}',
    progressed_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz not null default now(),
    constraint "an erasure id has its form" check (public_id ~ '^ers_[A-Za-z0-9]{8}$'),
    constraint "an erasure is of an event, a sender or a workspace" check (kind in ('event', 'sender', 'workspace')),
    constraint "an erasure of an event names it" check ((kind = 'event') = (event_id is not null)),
    constraint "only an erasure of a sender names one" check (kind = 'sender' or sender is null),
    constraint "a running erasure of a sender knows the sender" check (kind <> 'sender' or status = 'completed' or sender is not null),
    constraint "a completed erasure forgets the sender" check (status <> 'completed' or sender is null),
    constraint "an erasure of a workspace names it" check (kind <> 'workspace' or workspace_id is not null),
    constraint "an erasure is under way or completed" check (status in ('erasing', 'completed')),
    constraint "a completed erasure says when" check ((status = 'completed') = (ended_at is not null)),
    constraint "the counts of an erasure have names" check (jsonb_typeof(counts) = 'object'),
    constraint "an erasure has a reason" check (length(reason) between 1 and 500)
  )`,
  'create index if not exists erasures_by_organization on erasures (organization_id, id)',
  'create index if not exists erasures_by_workspace on erasures (workspace_id)',
  'create index if not exists erasures_by_channel on erasures (channel_id)',
  `create index if not exists erasures_under_way on erasures (progressed_at) where status <> 'completed'`,
  `create table if not exists erased_events (
    erasure_id bigint not null references erasures (id),
    event_id bigint not null,
    created_at timestamptz not null default now(),
    primary key (erasure_id, event_id)
  )`,
  `comment on table erased_events is 'events of an erasure under way, whose late attempts it still has to erase'`,
];

export const erasures: UnwrappedMigration = {
  config: { transaction: false },
  async up(knex) {
    for (const statement of statements) await knex.raw(statement);
  },
  async down(knex) {
    await knex.raw('drop table erased_events');
    await knex.raw('drop table erasures');
    await knex.raw('alter table events drop column erased_at');
  },
};
