-- What was accepted, where it is delivered, and each attempt.
--
-- These tables take thousands of rows a second and have no foreign keys (docs/adr/0026): each would cost a look-up and a
-- row lock on the same few parents for every row. The inserting statement derives each row from parents that are never
-- deleted.
--
-- Events, attempts and ended deliveries have a partition for each period of ids (docs/adr/0026). The function
-- add_ledger_period creates them with their indexes: see db/ledger/upkeep/ledger-periods.ts.

create sequence events_id_seq as bigint;
create sequence deliveries_id_seq as bigint;

create table ledger_periods (
  first_id bigint primary key,
  began_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table ledger_periods is
  'partitions of the ledger by id; began_at is when the sequences reached it, null before';

create table event_keys (
  channel_id bigint not null,
  key uuid not null,
  created_at timestamptz not null default now(),
  primary key (channel_id, key)
);
create table event_keys_1 (like event_keys including all);
create table event_keys_2 (like event_keys including all);
comment on table event_keys is
  'accepted events, for duplicates: the first half of SHA-256 over an item''s bytes and the list or field that it is in';
comment on table event_keys_1 is 'keys of the generation before; no longer written';
comment on table event_keys_2 is 'keys of the oldest generation, which retention drops; no longer written';

create table events (
  id bigint not null default nextval('events_id_seq'),
  channel_id bigint not null,
  workspace_id bigint not null,
  event_type text not null,
  conversation_key bigint not null,
  sender text,
  platform_message_id text,
  body bytea not null,
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default now(),
  body_key_id text,
  trace_parent text,
  erased_at timestamptz,
  person_ids text[],
  flags text,
  primary key (id)
) partition by range (id);
-- Bodies may be sealed, which does not compress.
alter table events alter column body set storage external;
comment on table events is 'what the platform sent for a connected channel, stored once';
comment on column events.body is 'the bytes that are signed and sent';
comment on column events.body_key_id is 'the key of ENCRYPTION_KEYS that sealed the body; null: not sealed';
comment on column events.trace_parent is
  'the W3C header traceparent of a sampled event, whose attempts continue the trace; null if it is not sampled';
comment on column events.erased_at is 'when the body and the personal columns were erased; null if they are there';
comment on column events.person_ids is
  'all ids of the person; null if the sender is the only one. The first is the sender if the person sent the event';
comment on column events.flags is 'echo, unsend or both with a comma, as in the header of deliveries';

create table deliveries (
  id bigint not null default nextval('deliveries_id_seq'),
  event_id bigint not null,
  channel_id bigint not null,
  workspace_id bigint not null,
  destination_id bigint,
  shard smallint not null,
  conversation_key bigint not null,
  event_type text not null,
  status text not null constraint "a delivery has a known status"
    check (status in ('pending', 'retrying', 'delivered', 'exhausted', 'cancelled', 'skipped')),
  skip_reason text constraint "a delivery is skipped for a known reason"
    check (skip_reason in ('forwarding_disabled', 'no_destination', 'destination_disabled')),
  attempt_count integer not null default 0,
  failed_in_schedule smallint not null default 0,
  next_attempt_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default now(),
  restarted_at timestamptz,
  pump_retries boolean not null default false,
  cancellation jsonb,
  constraint "a skipped delivery says why" check ((status = 'skipped') = (skip_reason is not null)),
  constraint "a delivery that waits has a destination"
    check (status not in ('pending', 'retrying') or destination_id is not null),
  constraint "a retrying delivery knows when it goes next" check (status <> 'retrying' or next_attempt_at is not null)
) partition by list ((case
  when status = 'pending' and next_attempt_at is not null then 3
  when status in ('pending', 'retrying') then 1
  else 2 end));
comment on table deliveries is 'an event for one destination. An update of its status moves a row to its partition';
comment on column deliveries.shard is 'of its destination; -1 of a listener, which no pump serves';
comment on column deliveries.failed_in_schedule is 'failed attempts since the retry schedule last began';
comment on column deliveries.next_attempt_at is
  'of a retrying delivery: the next attempt; of a pending one: parked until then behind a held conversation';
comment on column deliveries.xid is 'the transaction that last changed it, by which streams read changes (docs/adr/0015)';
comment on column deliveries.restarted_at is
  'when a person last began a new schedule, whose age counts from there; null: never';
comment on column deliveries.pump_retries is
  'while retrying: the pump of the shard makes the next attempt; otherwise a workflow does';
comment on column deliveries.cancellation is 'reason, at, actorType and actorId; null unless the status is cancelled';

-- The check constraints of the partitions exclude them from statements that name the status.
create table deliveries_waiting partition of deliveries for values in (1)
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
alter table deliveries_waiting add primary key (id),
  add constraint "a waiting delivery has not ended and is not parked"
    check (status in ('pending', 'retrying') and (status = 'retrying' or next_attempt_at is null));
create index deliveries_waiting_pending on deliveries_waiting (shard, destination_id, id) where status = 'pending';
create index deliveries_waiting_retrying on deliveries_waiting (shard, next_attempt_at) where status = 'retrying';
create index deliveries_waiting_retrying_by_destination on deliveries_waiting (destination_id, id)
  where status = 'retrying';
create index deliveries_waiting_pump_retries on deliveries_waiting (shard, next_attempt_at)
  where status = 'retrying' and pump_retries;
create index deliveries_waiting_with_workflow on deliveries_waiting (destination_id)
  where status = 'retrying' and not pump_retries;
create index deliveries_waiting_for_listeners on deliveries_waiting (destination_id, workspace_id, xid, id)
  where shard = -1 and status = 'pending';
create index deliveries_waiting_in_trouble on deliveries_waiting (channel_id, id)
  where status in ('retrying', 'exhausted', 'cancelled', 'skipped');
create index deliveries_waiting_by_channel on deliveries_waiting (channel_id, id);
create index deliveries_waiting_changed on deliveries_waiting (channel_id, xid, id);
-- An expression, so that the planner uses it for nothing else: with the statistics of a nearly empty table, a claim would
-- read all of an index that begins with the destination, for each shard.
create index deliveries_waiting_by_conversation on deliveries_waiting ((destination_id # conversation_key));
create index deliveries_waiting_by_event on deliveries_waiting (event_id);
comment on table deliveries_waiting is 'pending and retrying deliveries; a row moves to deliveries_ended when it ends';

create table deliveries_parked partition of deliveries for values in (3)
  with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
alter table deliveries_parked add primary key (id),
  add constraint "a parked delivery is pending" check (status = 'pending' and next_attempt_at is not null);
create index deliveries_parked_pending on deliveries_parked (shard, destination_id, id) where status = 'pending';
create index deliveries_parked_by_conversation on deliveries_parked (destination_id, conversation_key, id);
create index deliveries_parked_until on deliveries_parked (shard, next_attempt_at);
create index deliveries_parked_by_channel on deliveries_parked (channel_id, id);
create index deliveries_parked_changed on deliveries_parked (channel_id, xid, id);
create index deliveries_parked_by_event on deliveries_parked (event_id);
comment on table deliveries_parked is
  'pending deliveries behind a held conversation; next_attempt_at is when they leave, even if the hold stays';

create table deliveries_ended partition of deliveries for values in (2) partition by range (id);
alter table deliveries_ended add primary key (id),
  add constraint "an ended delivery does not wait" check (status not in ('pending', 'retrying'));
comment on table deliveries_ended is 'delivered, exhausted, cancelled and skipped deliveries, by periods';

create table attempts (
  delivery_id bigint not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  outcome text not null constraint "an attempt has a known outcome"
    check (outcome in ('accepted', 'rejected', 'no_response', 'blocked')),
  status smallint,
  response_headers jsonb,
  response_body bytea,
  error text,
  created_at timestamptz not null default now(),
  response_body_key_id text,
  channel_id bigint,
  request bytea,
  xid xid8 default pg_current_xact_id(),
  batch bigint[],
  primary key (delivery_id, number)
) partition by range (delivery_id);
comment on table attempts is 'requests that were made for a delivery, and what came back';
comment on column attempts.response_body_key_id is
  'the key of ENCRYPTION_KEYS that sealed the response; null: not sealed';
comment on column attempts.channel_id is 'the distribution key of a distributed PostgreSQL (docs/adr/0026)';
comment on column attempts.request is 'what was sent, packed by pack-request.ts; null if nothing was sent';
comment on column attempts.xid is 'the transaction that inserted the attempt, by which usage counts it once';
comment on column attempts.batch is
  'the deliveries in the body of the request, in order; null unless the destination was debounced';

create table conversation_holds (
  destination_id bigint not null,
  conversation_key bigint not null,
  delivery_id bigint not null,
  until_at timestamptz not null,
  created_at timestamptz not null default now(),
  channel_id bigint,
  primary key (destination_id, conversation_key, delivery_id)
);
comment on table conversation_holds is
  'deliveries that failed: those behind one in its conversation wait until it ends or until_at has passed';
comment on column conversation_holds.channel_id is 'the distribution key of a distributed PostgreSQL (docs/adr/0026)';

create table conversation_releases (
  id bigint generated always as identity primary key,
  destination_id bigint not null,
  conversation_key bigint,
  created_at timestamptz not null default now()
);
comment on table conversation_releases is
  'conversations with parked deliveries whose hold has ended; a pump returns them in slices. Without a key: all of the destination';

-- A trigger, because every writer of holds must release. The query in it takes its own snapshot, after the deletion has
-- waited for those who park behind the hold.
create function release_parked_deliveries() returns trigger language plpgsql as $$
begin
  if exists (
    select from deliveries_parked p
    where p.destination_id = old.destination_id and p.conversation_key = old.conversation_key
  ) then
    insert into conversation_releases (destination_id, conversation_key)
    values (old.destination_id, old.conversation_key);
  end if;
  return null;
end
$$;
create trigger conversation_holds_release after delete on conversation_holds
  for each row execute function release_parked_deliveries();

create table unrouted_events (
  id bigint generated always as identity primary key,
  type text not null,
  resource_id text not null,
  key uuid not null,
  body bytea not null,
  created_at timestamptz not null default now(),
  body_key_id text,
  event_type text,
  conversation_key bigint,
  sent_at timestamptz,
  sent_bytes int,
  constraint "an item for no channel is kept once" unique (type, resource_id, key)
);
create index unrouted_events_by_resource on unrouted_events (resource_id, id);
comment on table unrouted_events is 'what the platform sent for an account without a connected channel';
comment on column unrouted_events.body_key_id is 'the key of ENCRYPTION_KEYS that sealed the body; null: not sealed';
comment on column unrouted_events.sent_at is 'when staff sent it on to the channel that was connected later';
comment on column unrouted_events.sent_bytes is 'size of the body, which is emptied when the item is sent on';
