-- Replays over a frozen plan (docs/adr/0013), and single events that a user sent again.

create table replays (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a replay id has its form" check (public_id ~ '^rpl_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  workspace_id bigint references workspaces,
  channel_id bigint references channels,
  by_portal boolean not null default false,

  since_at timestamptz not null,
  until_at timestamptz not null,
  statuses text[] not null,
  event_types text[],
  channel_ids bigint[],
  original_destinations text[],
  original_destination_ids bigint[],
  http_statuses text[],
  selected_by text[],
  selected_ids bigint[],
  destination text,
  destination_slot bigint,
  rate_per_second integer not null
    constraint "a replay sends 1 to 1000 a second" check (rate_per_second between 1 and 1000),
  idempotency_key_hash bytea constraint "the hash of a replay's idempotency key has 32 bytes"
    check (length(idempotency_key_hash) = 32),
  request_hash bytea constraint "the hash of a replay's request has 32 bytes" check (length(request_hash) = 32),

  status text not null default 'planning' constraint "a replay has a known status"
    check (status in ('planning', 'running', 'paused', 'completed', 'cancelled')),
  snapshot pg_snapshot not null,
  plan_channel_id bigint not null default 0,
  plan_after_id bigint not null default 0,
  planned_at timestamptz,
  matched integer not null,
  is_count_complete boolean not null default true,
  planned integer not null default 0,
  sent integer not null default 0,
  missing integer not null default 0,
  paced_at timestamptz not null default now(),
  progressed_at timestamptz not null default now(),
  judged_through bigint not null default 0,
  judged_failed integer not null default 0,
  judged_at timestamptz,
  last_failed_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  run_ended_at timestamptz,
  created_at timestamptz not null default now(),

  constraint "a replay spans some time" check (since_at < until_at),
  constraint "a replay of a channel is of its workspace" check (channel_id is null or workspace_id is not null),
  constraint "a replay of named destinations knows them"
    check ((original_destinations is null) = (original_destination_ids is null)),
  constraint "a replay selected by a text has what it selected" check ((selected_by is null) = (selected_ids is null)),
  constraint "a replay with a key says what was asked for"
    check ((idempotency_key_hash is null) = (request_hash is null)),
  constraint "a replay that has ended says when"
    check ((status in ('completed', 'cancelled')) = (ended_at is not null)),
  constraint "a replay has a plan before it sends" check (status <> 'completed' or planned_at is not null)
);
create index replays_by_organization on replays (organization_id, id);
create index replays_by_workspace on replays (workspace_id, id);
create index replays_by_channel on replays (channel_id, id);
create index replays_under_way on replays (progressed_at) where run_ended_at is null;
create index replays_of_organization_under_way on replays (organization_id) where ended_at is null;
create index replays_to_judge on replays (id) where judged_at is null and status = 'completed';
create index replays_failed on replays (last_failed_at) where last_failed_at is not null;
create unique index "a key begins one replay of an organization"
  on replays (organization_id, idempotency_key_hash) where idempotency_key_hash is not null;
comment on table replays is 'requests to send old events again, as new deliveries';
comment on column replays.workspace_id is 'null: of the whole organization';
comment on column replays.channel_id is 'null: of the whole workspace';
comment on column replays.by_portal is 'whether a customer started it through a portal link';
comment on column replays.channel_ids is 'null: all channels of the scope';
comment on column replays.original_destinations is 'as they were named: webhook and public ids; null: all';
comment on column replays.http_statuses is 'statuses, classes and none, as they were asked for; null: all';
comment on column replays.selected_by is 'the filters whose texts were compared once and are not kept';
comment on column replays.selected_ids is 'the deliveries that selected_by left';
comment on column replays.destination is
  'as it was named: webhook or a subscription''s id; null: each delivery''s own';
comment on column replays.destination_slot is 'the named destination in replay_items.slot';
comment on column replays.snapshot is
  'what had been committed when the replay was asked for: a delivery that has moved since is not in the plan';
comment on column replays.plan_channel_id is
  'planned so far: everything of the channels before, and of this one up to plan_after_id';
comment on column replays.matched is
  'how many deliveries fitted when the replay was asked for; planned is how many it sends';
comment on column replays.is_count_complete is 'false: matched is a lower bound until the plan is complete';
comment on column replays.missing is 'planned, but the event was gone when its turn came';
comment on column replays.paced_at is 'how far the rate has been used up';
comment on column replays.judged_through is 'how far the outcomes of its deliveries have been counted for its alert';
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
create index replay_items_waiting on replay_items (replay_id, channel_id, slot, source_delivery_id)
  where done_at is null;
create index replay_items_holding on replay_items (event_id) where done_at is null;
create unique index "a delivery is of one replay" on replay_items (delivery_id) where delivery_id is not null;
comment on table replay_items is 'the plan of a replay: one row for each delivery that it sends again';
comment on column replay_items.slot is
  '0: the webhook that the channel has then; otherwise the number of a destination';
comment on column replay_items.delivery_id is
  'the new delivery; null before its turn, or if the event was gone by then';

create table replay_paces (
  host text primary key,
  paced_at timestamptz not null default '-infinity'
);
comment on table replay_paces is
  'when a replay last sent to a host that is not verified; all replays of the installation share it';

create table delivery_replays (
  id bigint generated always as identity primary key,
  source_delivery_id bigint not null,
  delivery_id bigint not null,
  workspace_id bigint not null references workspaces,
  idempotency_key_hash bytea
    constraint "the hash of an idempotency key has 32 bytes" check (length(idempotency_key_hash) = 32),
  request_hash bytea not null constraint "a request's hash has 32 bytes" check (length(request_hash) = 32),
  created_at timestamptz not null default now()
);
create unique index "a key replays once in a workspace"
  on delivery_replays (workspace_id, idempotency_key_hash) where idempotency_key_hash is not null;
create index delivery_replays_by_source on delivery_replays (source_delivery_id);
create index delivery_replays_by_delivery on delivery_replays (delivery_id);
comment on table delivery_replays is 'events that a user sent again, one at a time';
