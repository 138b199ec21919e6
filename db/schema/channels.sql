create table connection_credentials (
  id bigint generated always as identity primary key,
  public_id text not null unique
    constraint "a connection credential id has its form" check (public_id ~ '^cred_[A-Za-z0-9]{8}$'),
  workspace_id bigint not null references workspaces,
  token_encrypted text not null,
  expires_at timestamptz,
  refreshed_at timestamptz,
  refused_at timestamptz,
  refused_reason text,
  created_at timestamptz not null default now(),
  constraint "a refused credential says when and why" check ((refused_at is null) = (refused_reason is null))
);
create index connection_credentials_by_workspace on connection_credentials (workspace_id);
create index connection_credentials_by_expiry on connection_credentials (expires_at) where expires_at is not null;
create index connection_credentials_refused on connection_credentials (refused_at) where refused_at is not null;
comment on table connection_credentials is
  'the platform''s tokens. A refused one stops calls and nothing else: events arrive without it';
comment on column connection_credentials.refused_at is
  'since when the platform refuses calls; null: it took the last one, or was not called yet';

create table channels (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a channel id has its form" check (public_id ~ '^ch_[A-Za-z0-9]{8}$'),
  workspace_id bigint not null references workspaces,
  credential_id bigint not null references connection_credentials,
  type text not null
    constraint "a channel has one of three types" check (type in ('chatapp', 'photoapp', 'pageapp')),
  resource_id text not null
    constraint "a resource id is not empty" check (length(resource_id) between 1 and 200),
  linked_resource_id text
    constraint "a linked account's id is not empty" check (length(linked_resource_id) between 1 and 200),
  display_name text not null,
  connection_type text not null,
  onboarding_link_id bigint,
  forwarding_enabled boolean not null default true,
  disconnected_at timestamptz,
  disconnected_reason text,
  cancellation jsonb,
  kept_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint "a number has no linked account" check (linked_resource_id is null or type <> 'chatapp'),
  constraint "a reason belongs to disconnected channels only"
    check (disconnected_reason is null or disconnected_at is not null)
);
create unique index "a platform account is one live channel" on channels (type, resource_id)
  where disconnected_at is null;
create index channels_by_workspace on channels (workspace_id, id);
create index channels_by_credential on channels (credential_id);
create index channels_by_onboarding_link on channels (onboarding_link_id, id) where onboarding_link_id is not null;
create index channels_lost on channels (disconnected_at) where disconnected_reason is not null;
create index channels_kept on channels (kept_since) where kept_since is not null;
comment on table channels is 'connected accounts of the platform';
comment on column channels.resource_id is 'metaResourceId on the wire: phone number id, account id or Page id';
comment on column channels.linked_resource_id is
  'the account that the platform links to this one, as reported when one of the two was connected last. It need not be a channel';
comment on column channels.onboarding_link_id is 'the link through which it was last connected; null: another way';
comment on column channels.cancellation is
  'reason, actorType and actorId of the last disconnection, for the deliveries that it cancels';
comment on column channels.kept_since is
  'events that arrived since then, while it was disconnected, are to be sent on; null: no events';

create table channel_moves (
  channel_id bigint not null references channels,
  from_workspace_id bigint not null references workspaces,
  created_at timestamptz not null default now(),
  primary key (from_workspace_id, channel_id)
);
create index channel_moves_by_channel on channel_moves (channel_id);
comment on table channel_moves is 'workspaces that a channel has left, where its earlier deliveries stay';

create table channel_health (
  channel_id bigint primary key references channels,
  status text not null default 'unknown' constraint "a channel's health has a known status"
    check (status in ('healthy', 'warning', 'failing', 'unknown')),
  reasons text[] not null default '{}',
  alert_reason text,
  quality text,
  tier text,
  throughput text,
  account_status text,
  name_status text,
  name text,
  username text,
  picture_url text,
  business_account_id text,
  permissions_granted text[],
  permissions_missing text[],
  subscribed_fields text[],
  missing_fields text[],
  credential_expires_at timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null default now(),
  failed_count int not null default 0,
  failure text,
  failed_at timestamptz,
  constraint "a channel's health has both lists of permissions or none"
    check ((permissions_granted is null) = (permissions_missing is null)),
  constraint "a failed check says when and why" check ((failure is null) = (failed_at is null))
);
create index channel_health_due on channel_health (next_check_at);
create index channel_health_troubled on channel_health (channel_id) where alert_reason is not null;
create index channel_health_by_business_account on channel_health (business_account_id)
  where business_account_id is not null;
comment on table channel_health is 'what the platform says about connected accounts (docs/adr/0039)';
comment on column channel_health.alert_reason is 'the reasons that need a person; null: no reason does';
comment on column channel_health.missing_fields is 'fields that the platform refuses; null: not known';
comment on column channel_health.checked_at is 'when the platform answered last; null: never';
comment on column channel_health.next_check_at is 'in the future during a check, so that a lost one is repeated';
comment on column channel_health.failed_count is 'checks without an answer since the last one with an answer';

create table channel_tokens (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  api_key_id bigint references api_keys,
  scopes text[],
  token_hash bytea not null unique
    constraint "a channel token's hash has 32 bytes" check (length(token_hash) = 32),
  token_encrypted text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "a token is limited to scopes if and only if a limited key holds it"
    check ((api_key_id is null) = (scopes is null))
);
create unique index "a holder has one current token of a channel"
  on channel_tokens (channel_id, coalesce(api_key_id, 0)) where expires_at is null and revoked_at is null;
create index channel_tokens_by_channel on channel_tokens (channel_id, id);
create index channel_tokens_by_key on channel_tokens (api_key_id) where api_key_id is not null;
comment on table channel_tokens is 'tokens with which clients call the gateway for a channel';
comment on column channel_tokens.api_key_id is
  'the limited key that holds it; null: the token that people and full keys share';
comment on column channel_tokens.scopes is 'what the gateway passes on for it; null: everything';
comment on column channel_tokens.expires_at is 'the end of its overlap, once it was replaced; null: the current one';

create table channel_token_rotations (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  api_key_id bigint references api_keys,
  overlap_seconds integer not null
    constraint "an overlap lasts a week at most" check (overlap_seconds between 0 and 604800),
  idempotency_key_hash bytea
    constraint "a rotation key's hash has 32 bytes" check (length(idempotency_key_hash) = 32),
  status text not null default 'staged'
    constraint "a rotation has a known status" check (status in ('staged', 'rotated', 'abandoned')),
  deadline_at timestamptz not null,
  token_id bigint unique references channel_tokens,
  previous_expires_at timestamptz,
  requested_by_type text not null,
  requested_by text not null,
  request_id text,
  client_address text,
  created_at timestamptz not null default now(),
  constraint "a rotation that was made has its token, and no other has"
    check ((status = 'rotated') = (token_id is not null))
);
create unique index "an idempotency key rotates a channel's token once"
  on channel_token_rotations (channel_id, idempotency_key_hash) where idempotency_key_hash is not null;
create index channel_token_rotations_by_channel on channel_token_rotations (channel_id, id);
create index channel_token_rotations_by_key on channel_token_rotations (api_key_id) where api_key_id is not null;
comment on table channel_token_rotations is 'requested rotations: a workflow that receives only the id makes them';
comment on column channel_token_rotations.api_key_id is
  'the limited key whose own token is rotated; null: the shared one';
