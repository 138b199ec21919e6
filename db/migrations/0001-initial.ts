import type { Knex } from 'knex';

const management = `
create table installation (
  id boolean primary key default true constraint "there is one installation" check (id),
  id_key bytea not null constraint "an id key has 48 bytes" check (length(id_key) = 48),
  token_salt bytea not null constraint "a token salt has 32 bytes" check (length(token_salt) = 32),
  delivery_shards smallint not null constraint "there are 1 to 256 delivery shards" check (delivery_shards between 1 and 256),
  created_at timestamptz not null default now()
);

create table organizations (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "an organization id has its form" check (public_id ~ '^org_[A-Za-z0-9]{8}$'),
  name text not null constraint "an organization has a name" check (length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a user id has its form" check (public_id ~ '^usr_[A-Za-z0-9]{8}$'),
  email text not null unique constraint "an email is stored in lower case" check (email = lower(email)),
  is_staff boolean not null default false,
  created_at timestamptz not null default now()
);

create table organization_members (
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  role text not null constraint "a member is admin or member" check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index organization_members_by_user on organization_members (user_id);

create table workspaces (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a workspace id has its form" check (public_id ~ '^ws_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  name text not null constraint "a workspace has a name" check (length(name) between 1 and 200),
  kind text not null constraint "a workspace is a team or a customer" check (kind in ('team', 'customer')),
  external_id text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint "only customers have an external id" check (external_id is null or kind = 'customer')
);
create index workspaces_by_organization on workspaces (organization_id, id);
create unique index "an external id names one customer of an organization"
  on workspaces (organization_id, external_id) where external_id is not null and deleted_at is null;

create table workspace_members (
  workspace_id bigint not null references workspaces,
  user_id bigint not null references users,
  role text not null constraint "a workspace member is admin or member" check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_by_user on workspace_members (user_id);

create table api_keys (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "an API key id has its form" check (public_id ~ '^key_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  name text not null constraint "an API key has a name" check (length(name) between 1 and 200),
  token_hash bytea not null unique constraint "a token hash has 32 bytes" check (length(token_hash) = 32),
  token_encrypted text not null,
  scopes text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_by_organization on api_keys (organization_id, id);
create index api_keys_by_user on api_keys (user_id);
comment on column api_keys.scopes is 'null: full access to the organization; otherwise the scopes of an agent credential';

create table connection_credentials (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a connection credential id has its form" check (public_id ~ '^cred_[A-Za-z0-9]{8}$'),
  workspace_id bigint not null references workspaces,
  token_encrypted text not null,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index connection_credentials_by_workspace on connection_credentials (workspace_id);
`;

const channels = `
create table channels (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a channel id has its form" check (public_id ~ '^ch_[A-Za-z0-9]{8}$'),
  workspace_id bigint not null references workspaces,
  credential_id bigint not null references connection_credentials,
  type text not null constraint "a channel has one of three types" check (type in ('chatapp', 'photoapp', 'pageapp')),
  resource_id text not null constraint "a resource id is not empty" check (length(resource_id) between 1 and 200),
  display_name text not null,
  connection_type text not null,
  linked_channel_id bigint references channels,
  forwarding_enabled boolean not null default true,
  disconnected_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index "a platform account is one live channel" on channels (type, resource_id) where disconnected_at is null;
create index channels_by_workspace on channels (workspace_id, id);
create index channels_by_credential on channels (credential_id);
create index channels_by_linked_channel on channels (linked_channel_id);
comment on column channels.resource_id is 'metaResourceId on the wire: phone number id, account id or Page id';

create table webhook_secrets (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  secret_encrypted text not null,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index "a channel has one current webhook secret" on webhook_secrets (channel_id) where expires_at is null;
create index webhook_secrets_by_channel on webhook_secrets (channel_id, id);

create table destinations (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  type text not null constraint "a destination has a known type" check (type in ('webhook', 'subscription', 'listener')),
  url text,
  label text,
  event_types text[],
  shard smallint not null,
  ordering text not null default 'conversation'
    constraint "events go in order per conversation or in none" check (ordering in ('conversation', 'none')),
  enabled boolean not null default true,
  disabled_reason text,
  last_delivered_at timestamptz,
  last_failure_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint "an HTTP destination has a url" check ((type = 'listener') = (url is null)),
  constraint "a reason stands with disabled destinations only" check (not enabled or disabled_reason is null),
  constraint "a subscription lists its events, a webhook takes all" check ((type = 'subscription') = (event_types is not null))
);
create unique index "a channel has one live webhook" on destinations (channel_id) where type = 'webhook' and deleted_at is null;
create index destinations_by_channel on destinations (channel_id) where deleted_at is null;
comment on column destinations.shard is 'hash of the id mod installation.delivery_shards, fixed at creation';

create table subscriptions (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a subscription id has its form" check (public_id ~ '^sub_[A-Za-z0-9]{8}$'),
  channel_id bigint not null references channels,
  destination_id bigint not null unique references destinations,
  created_at timestamptz not null default now()
);
create index subscriptions_by_channel on subscriptions (channel_id, id);

create table webhook_configs (
  channel_id bigint primary key references channels,
  destination_id bigint unique references destinations,
  verify_token_encrypted text,
  revision integer not null default 0,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint "a webhook that is set was verified" check (destination_id is null or (verified_at is not null and verify_token_encrypted is not null))
);
comment on column webhook_configs.revision is 'raised whenever a save or a clear begins: a save commits only at the revision that it began with';

create table webhook_candidates (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  url text not null,
  verify_token_encrypted text not null,
  revision integer not null,
  deadline_at timestamptz not null,
  status text not null default 'staged'
    constraint "a candidate has a known status" check (status in ('staged', 'committed', 'failed', 'blocked', 'overtaken', 'abandoned')),
  failure text,
  created_at timestamptz not null default now()
);
create index webhook_candidates_by_channel on webhook_candidates (channel_id, id);
comment on table webhook_candidates is 'webhook saves under way: probed by a workflow that is told only the id';
`;

/**
 * The ledger's tables take thousands of rows a second and have no foreign keys: each would cost a look-up and a row
 * lock on the same few parents for every row (docs/adr/0006). The inserting statement derives each row from parents
 * that are never deleted.
 */
const ledger = `
create table event_keys (
  channel_id bigint not null,
  key uuid not null,
  created_at timestamptz not null default now(),
  primary key (channel_id, key)
);
comment on table event_keys is 'what has been accepted: first half of SHA-256 over kind, platform id and discriminator';

create table events (
  id bigint generated by default as identity primary key,
  channel_id bigint not null,
  workspace_id bigint not null,
  event_type text not null,
  conversation_key bigint not null,
  sender text,
  platform_message_id text,
  body bytea not null,
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default now()
);
alter table events alter column body set storage external;
comment on column events.body is 'the bytes that are signed and sent, stored once';

create table deliveries (
  id bigint generated by default as identity primary key,
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
  constraint "a skipped delivery says why" check ((status = 'skipped') = (skip_reason is not null)),
  constraint "a delivery that waits has a destination" check (status not in ('pending', 'retrying') or destination_id is not null),
  constraint "a retrying delivery knows when it goes next" check (status <> 'retrying' or next_attempt_at is not null)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index deliveries_by_channel on deliveries (channel_id, id);
create index deliveries_pending on deliveries (shard, destination_id, id) where status = 'pending';
create index deliveries_retrying on deliveries (shard, next_attempt_at) where status = 'retrying';
comment on column deliveries.failed_in_schedule is 'failed attempts since the retry schedule was last begun';

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
  primary key (delivery_id, number)
);

create table conversation_holds (
  destination_id bigint not null,
  conversation_key bigint not null,
  delivery_id bigint not null,
  until_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (destination_id, conversation_key, delivery_id)
);
comment on table conversation_holds is 'heads that failed: what is behind one in its conversation waits until it ends or until_at has passed';

create table shard_leases (
  shard smallint primary key,
  holder text not null,
  fence bigint not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table shard_leases is 'one pump serves a shard at a time; writes that are not a 2xx are conditional on its fence';

create table unrouted_events (
  id bigint generated always as identity primary key,
  type text not null,
  resource_id text not null,
  key uuid not null,
  body bytea not null,
  created_at timestamptz not null default now(),
  constraint "an item for no channel is kept once" unique (type, resource_id, key)
);
`;

const tables = [
  'unrouted_events', 'shard_leases', 'conversation_holds', 'attempts', 'deliveries', 'events', 'event_keys',
  'webhook_candidates', 'webhook_configs', 'subscriptions', 'destinations', 'webhook_secrets', 'channels',
  'connection_credentials', 'api_keys', 'workspace_members', 'workspaces', 'organization_members', 'users',
  'organizations', 'installation',
]; // prettier-ignore

export const initial: Knex.Migration = {
  async up(knex) {
    await knex.raw(management);
    await knex.raw(channels);
    await knex.raw(ledger);
  },
  async down(knex) {
    for (const table of tables) await knex.schema.dropTable(table);
  },
};
