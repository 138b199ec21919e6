create table erasures (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "an erasure id has its form" check (public_id ~ '^ers_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  kind text not null constraint "an erasure is of an event, a sender or a workspace"
    check (kind in ('event', 'sender', 'workspace')),
  event_id bigint,
  sender text,
  person_ids text[],
  workspace_id bigint references workspaces,
  channel_id bigint references channels,
  reason text not null constraint "an erasure has a reason" check (length(reason) between 1 and 500),
  status text not null default 'erasing'
    constraint "an erasure is under way or completed" check (status in ('erasing', 'completed')),
  step text not null default 'events',
  at_channel_id bigint not null default 0,
  at_id bigint not null default 0,
  next_step_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  counts jsonb not null default '{}'
    constraint "the counts of an erasure have names" check (jsonb_typeof(counts) = 'object'),
  progressed_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "an erasure of an event names it" check ((kind = 'event') = (event_id is not null)),
  constraint "only an erasure of a sender names one" check (kind = 'sender' or sender is null),
  constraint "a running erasure of a sender knows the sender"
    check (kind <> 'sender' or status = 'completed' or sender is not null),
  constraint "a completed erasure forgets the sender" check (status <> 'completed' or sender is null),
  constraint "only an erasure of a sender under way knows ids"
    check (person_ids is null or kind = 'sender' and status <> 'completed'),
  constraint "an erasure of a workspace names it" check (kind <> 'workspace' or workspace_id is not null),
  constraint "a completed erasure says when" check ((status = 'completed') = (ended_at is not null))
);
create index erasures_by_organization on erasures (organization_id, id);
create index erasures_by_workspace on erasures (workspace_id);
create index erasures_by_channel on erasures (channel_id);
create index erasures_under_way on erasures (progressed_at) where status <> 'completed';
comment on table erasures is 'requests to erase the data of an event, a person or a workspace, and their progress';
comment on column erasures.person_ids is 'ids that belong to the sender; null before they were looked up';

create table erased_events (
  erasure_id bigint not null references erasures,
  event_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (erasure_id, event_id)
);
comment on table erased_events is 'events of an erasure under way, whose late attempts it still has to erase';
