create table usage_days (
  day date not null,
  organization_id bigint not null references organizations,
  workspace_id bigint not null references workspaces,
  channel_id bigint not null references channels,
  events bigint not null default 0,
  deliveries bigint not null default 0,
  attempts bigint not null default 0,
  sends bigint not null default 0,
  publishes bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (organization_id, day, workspace_id, channel_id),
  constraint "usage is never negative" check (least(events, deliveries, attempts, sends, publishes) >= 0)
);
create index usage_days_by_day on usage_days (day);
create index usage_days_by_workspace on usage_days (workspace_id, day);
create index usage_days_by_channel on usage_days (channel_id, day);
comment on table usage_days is 'what each channel was used for, by day in UTC; outlives the rows that it counts';

create table usage_marks (
  source text primary key,
  counted_to bigint not null,
  at_channel_id bigint not null default 0,
  next_to bigint,
  next_xid xid8,
  next_at timestamptz,
  counted_until timestamptz not null default '-infinity',
  revision bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint "a source of usage is known" check (source in ('events', 'deliveries', 'attempts', 'outbound_calls')),
  constraint "the next bound says when it is final" check (num_nulls(next_to, next_xid, next_at) in (0, 3))
);
insert into usage_marks (source, counted_to)
values ('events', 0), ('deliveries', 0), ('attempts', 0), ('outbound_calls', 0);
comment on table usage_marks is
  'the number, or the transaction id of attempts, up to which the rows of a source are counted, and the next bound';
comment on column usage_marks.at_channel_id is
  'the channel up to which the attempts between the mark and the next bound are counted';
comment on column usage_marks.revision is
  'incremented by each count, so that rows are not counted twice by counts that run at once';
