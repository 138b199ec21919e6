create table destinations (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  type text not null
    constraint "a destination has a known type" check (type in ('webhook', 'subscription', 'listener')),
  url text,
  verified_url text,
  kept_for bigint references destinations
    constraint "a kept destination is kept for another one" check (kept_for <> id),
  label text,
  event_types text[],
  shard smallint not null generated always as (case when type = 'listener' then -1 else mod(id * 159, 256) end) stored,
  ordering text not null default 'conversation'
    constraint "events go in order per conversation or in none" check (ordering in ('conversation', 'none')),
  sends_trace_parent boolean not null default true,
  options jsonb,
  credentials_encrypted text,
  enabled boolean not null default true,
  disabled_reason text,
  cancellation jsonb,

  last_delivered_at timestamptz,
  last_failure_at timestamptz,
  consecutive_failures integer not null default 0,
  consecutive_since timestamptz,
  recent_accepted double precision not null default 0,
  recent_failed double precision not null default 0,
  recent_at timestamptz,
  failing_since timestamptz,
  failing_delivery_id bigint,
  failed_several boolean not null default false,
  standing_since timestamptz not null default now(),
  exhausted_count bigint not null default 0,
  last_exhausted_at timestamptz,
  not_settling_since timestamptz,
  not_settling_at timestamptz,

  circuit text not null default 'closed'
    constraint "a circuit is closed or open" check (circuit in ('closed', 'open')),
  circuit_reason text
    constraint "a circuit opens for a known reason" check (circuit_reason in ('failures', 'retry_after')),
  circuit_opened_at timestamptz,
  circuit_probe_at timestamptz,
  circuit_closed_at timestamptz,

  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint "an HTTP destination has a url" check ((type = 'listener') = (url is null)),
  constraint "a subscription lists its events, a webhook takes all" check (
    case type when 'subscription' then event_types is not null when 'webhook' then event_types is null else true end),
  constraint "a reason belongs to disabled destinations only" check (not enabled or disabled_reason is null),
  constraint "an open circuit says why, since when and until when" check (
    case circuit when 'open' then num_nulls(circuit_reason, circuit_opened_at, circuit_probe_at) = 0
                 else num_nonnulls(circuit_reason, circuit_opened_at, circuit_probe_at) = 0 end)
);
create unique index "a channel has one live webhook" on destinations (channel_id)
  where type = 'webhook' and deleted_at is null and kept_for is null;
create index destinations_by_channel on destinations (channel_id) where deleted_at is null and kept_for is null;
create index destinations_kept on destinations (kept_for) where kept_for is not null;
create index destinations_open on destinations (shard, circuit_probe_at) where circuit = 'open';
create index destinations_exhausted on destinations (last_exhausted_at) where last_exhausted_at is not null;
create index destinations_disabled on destinations (id)
  where disabled_reason in ('gone', 'failing') and deleted_at is null;
create index destinations_not_settling on destinations (not_settling_at) where not_settling_at is not null;
comment on table destinations is 'where events of a channel are delivered, with its health and circuit (docs/adr/0011)';
comment on column destinations.verified_url is
  'of a subscription: the URL whose origin was that of a verified webhook of the organization; another URL must be verified again';
comment on column destinations.kept_for is
  'set on the old URL of that destination, kept for the deliveries that waited when it was edited; gets no new deliveries';
comment on column destinations.shard is
  'a hash of the id, which never changes (contract/deliveries/shards.ts); -1 of a listener, which no pump serves';
comment on column destinations.sends_trace_parent is 'whether deliveries of sampled events carry the header traceparent';
comment on column destinations.options is
  'how the destination wants its requests, if this differs from the defaults; contains no secret';
comment on column destinations.credentials_encrypted is
  'static headers and authorization, sealed as JSON; null without any, and erased with the origin of the url';
comment on column destinations.cancellation is
  'reason, actorType and actorId of the deletion, for the deliveries that it cancels';
comment on column destinations.consecutive_failures is 'attempts by the pump that failed since the last 2xx';
comment on column destinations.consecutive_since is 'when the first of the consecutive failures ended';
comment on column destinations.recent_accepted is
  'accepted attempts, each counting less the longer before recent_at it was';
comment on column destinations.recent_failed is
  'failed first attempts before the consecutive ones, counted in the same way';
comment on column destinations.failing_since is 'the first failure after the last 2xx; null: no failure since';
comment on column destinations.failing_delivery_id is 'the delivery that failed at failing_since';
comment on column destinations.failed_several is 'another delivery has failed since: it is not one bad event';
comment on column destinations.standing_since is
  'when it was created, enabled or given another URL; earlier failures no longer count';
comment on column destinations.exhausted_count is
  'deliveries exhausted while that lasts; see db/ledger/destinations/failure-counts-sql.ts';
comment on column destinations.not_settling_since is
  'when the ledger began to refuse attempts of this destination; see db/ledger/destinations/not-settling.ts';
comment on column destinations.not_settling_at is 'when it last refused one';
comment on column destinations.circuit_probe_at is 'no delivery is sent before; then its workflow probes';

create table test_events (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  destination_id bigint not null references destinations,
  workspace_id bigint,
  delivery_number bigint not null default nextval('deliveries_id_seq'),
  event_number bigint not null default nextval('events_id_seq'),
  event_type text not null,
  url text not null,
  body bytea not null,
  request bytea,
  started_at timestamptz,
  duration_ms integer,
  outcome text constraint "a test has a known outcome"
    check (outcome in ('accepted', 'rejected', 'no_response', 'blocked')),
  status smallint,
  response_headers jsonb,
  response_body bytea,
  response_body_key_id text,
  error text,
  created_at timestamptz not null default now(),
  constraint "an attempted test says when and how" check (num_nulls(started_at, duration_ms, outcome) in (0, 3))
);
create index test_events_by_channel on test_events (channel_id, id);
create index test_events_by_destination on test_events (destination_id);
create index test_events_by_delivery on test_events (delivery_number);
comment on table test_events is
  'sample events that a user sent to a destination; not among the events and deliveries of the ledger';
comment on column test_events.workspace_id is 'workspace of the channel when the event was sent';
comment on column test_events.delivery_number is
  'drawn from the ledger''s sequence, so that no delivery ever has the same id';
comment on column test_events.request is 'what was sent, packed by pack-request.ts; null if nothing was sent';
comment on column test_events.response_body_key_id is
  'the key of ENCRYPTION_KEYS that sealed the response; null: not sealed';
