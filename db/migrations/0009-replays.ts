import type { Knex } from 'knex';

/** Replays over a frozen plan (docs/adr/0013). */
const replays = `
create table replays (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a replay id has its form" check (public_id ~ '^rpl_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  workspace_id bigint references workspaces,
  channel_id bigint references channels,
  since_at timestamptz not null,
  until_at timestamptz not null,
  statuses text[] not null,
  event_types text[],
  destination text,
  destination_slot bigint,
  rate_per_second integer not null
    constraint "a replay sends 1 to 1000 a second" check (rate_per_second between 1 and 1000),
  status text not null default 'planning' constraint "a replay has a known status"
    check (status in ('planning', 'running', 'paused', 'completed', 'cancelled')),
  snapshot pg_snapshot not null,
  plan_channel_id bigint not null default 0,
  plan_after_id bigint not null default 0,
  planned_at timestamptz,
  matched integer not null,
  planned integer not null default 0,
  sent integer not null default 0,
  missing integer not null default 0,
  paced_at timestamptz not null default now(),
  progressed_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  run_ended_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "a replay spans some time" check (since_at < until_at),
  constraint "a replay of a channel is of its workspace" check (channel_id is null or workspace_id is not null),
  constraint "a replay that has ended says when" check ((status in ('completed', 'cancelled')) = (ended_at is not null)),
  constraint "a replay has a plan before it sends" check (status <> 'completed' or planned_at is not null)
);
create index replays_by_organization on replays (organization_id, id);
create index replays_by_workspace on replays (workspace_id, id);
create index replays_by_channel on replays (channel_id, id);
create index replays_under_way on replays (progressed_at) where run_ended_at is null;
comment on column replays.workspace_id is 'null: of the whole organization';
comment on column replays.channel_id is 'null: of the whole workspace';
comment on column replays.destination is 'as it was named: webhook or a subscription''s id; null: each delivery''s own';
comment on column replays.destination_slot is 'what a named destination stands for in replay_items.slot';
comment on column replays.snapshot is
  'what had been committed when the replay was asked for: a delivery that has moved since is not in the plan';
comment on column replays.plan_channel_id is 'planned so far: everything of the channels before, and of this one up to plan_after_id';
comment on column replays.matched is 'how many deliveries fitted when the replay was asked for; planned is how many it sends';
comment on column replays.missing is 'planned, but the event was gone when its turn came';
comment on column replays.paced_at is 'how far the rate has been used up';
comment on column replays.run_ended_at is 'when its workflow saw the end; null: there must be a workflow';

create table replay_items (
  replay_id bigint not null references replays,
  source_delivery_id bigint not null,
  channel_id bigint not null,
  event_id bigint not null,
  slot bigint not null,
  delivery_id bigint,
  done_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (replay_id, source_delivery_id),
  constraint "a replay sends an event once to a destination" unique (replay_id, event_id, slot),
  constraint "a sent item is done" check (delivery_id is null or done_at is not null)
);
create index replay_items_waiting on replay_items (replay_id, channel_id, slot, source_delivery_id) where done_at is null;
create index replay_items_holding on replay_items (event_id) where done_at is null;
create unique index "a delivery is of one replay" on replay_items (delivery_id) where delivery_id is not null;
comment on column replay_items.slot is '0: the webhook that the channel has then; otherwise the number of a destination';
comment on column replay_items.delivery_id is 'the new delivery; null while its turn has not come, or where the event was gone';
`;

export const bulkReplays: Knex.Migration = {
  async up(knex) {
    await knex.raw(replays);
  },
  async down(knex) {
    await knex.schema.dropTable('replay_items');
    await knex.schema.dropTable('replays');
  },
};
