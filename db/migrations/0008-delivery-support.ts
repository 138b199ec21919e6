import type { Knex } from 'knex';

/**
 * Stores the choice for pending deliveries when a URL changes (docs/adr/0012), and orders concurrent edits of
 * subscriptions.
 */
const destinations = `
alter table destinations add column kept_for bigint references destinations
  constraint "a kept destination stands in for another one" check (kept_for <> id);
create index destinations_kept on destinations (kept_for) where kept_for is not null;
comment on column destinations.kept_for is
  'set on the old URL of that destination, kept for the deliveries that waited when it was edited; gets nothing new';

drop index "a channel has one live webhook";
create unique index "a channel has one live webhook"
  on destinations (channel_id) where type = 'webhook' and deleted_at is null and kept_for is null;
drop index destinations_by_channel;
create index destinations_by_channel on destinations (channel_id) where deleted_at is null and kept_for is null;

alter table webhook_candidates add column pending text not null default 'follow'
  constraint "what waits follows, is kept or is cancelled" check (pending in ('follow', 'keep', 'cancel'));
alter table subscriptions add column revision integer not null default 0;
comment on column subscriptions.revision is 'raised whenever an edit begins: an edit commits only at the revision that it began with';
`;

const secrets = `
alter table webhook_secrets
  add column idempotency_key_hash bytea
    constraint "the hash of an idempotency key has 32 bytes" check (length(idempotency_key_hash) = 32),
  add column overlap_seconds integer,
  add column previous_expires_at timestamptz;
create unique index "a key rotates a channel's webhook secret once"
  on webhook_secrets (channel_id, idempotency_key_hash) where idempotency_key_hash is not null;
comment on column webhook_secrets.overlap_seconds is 'how long the secret before it went on when this one was drawn; null for the first';
`;

const acts = `
create table test_events (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  destination_id bigint not null references destinations,
  delivery_number bigint not null default nextval('deliveries_id_seq'),
  event_number bigint not null default nextval('events_id_seq'),
  event_type text not null,
  url text not null,
  body bytea not null,
  started_at timestamptz,
  duration_ms integer,
  outcome text constraint "a test has a known outcome"
    check (outcome in ('accepted', 'rejected', 'no_response', 'blocked')),
  status smallint,
  response_headers jsonb,
  response_body bytea,
  error text,
  created_at timestamptz not null default now(),
  constraint "an attempted test says when and how" check (num_nulls(started_at, duration_ms, outcome) in (0, 3))
);
create index test_events_by_channel on test_events (channel_id, id);
create index test_events_by_destination on test_events (destination_id);
comment on table test_events is 'sample events that somebody sent to a destination: no events and no deliveries of the ledger';
comment on column test_events.delivery_number is 'drawn from the ledger''s sequence, so that no delivery ever has the same id';

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
comment on table delivery_replays is 'events that somebody sent again, one at a time';
`;

/** Support searches by message id or sender, then for the event's deliveries. */
const search = `
create index deliveries_by_event on deliveries (event_id);
create index events_by_platform_message on events using hash (platform_message_id) where platform_message_id is not null;
create index events_by_sender on events (sender, id) where sender is not null;
`;

export const deliverySupport: Knex.Migration = {
  async up(knex) {
    for (const part of [destinations, secrets, acts, search]) await knex.raw(part);
  },
  async down(knex) {
    await knex.raw(`
      drop index events_by_sender, events_by_platform_message, deliveries_by_event;
      drop table delivery_replays, test_events;
      alter table webhook_secrets drop column idempotency_key_hash, drop column overlap_seconds, drop column previous_expires_at;
      alter table subscriptions drop column revision;
      alter table webhook_candidates drop column pending;
      drop index "a channel has one live webhook", destinations_by_channel;
      delete from destinations where kept_for is not null;
      alter table destinations drop column kept_for;
      create unique index "a channel has one live webhook" on destinations (channel_id) where type = 'webhook' and deleted_at is null;
      create index destinations_by_channel on destinations (channel_id) where deleted_at is null;
    `);
  },
};
