create table webhook_secrets (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  secret_encrypted text not null,
  idempotency_key_hash bytea
    constraint "the hash of an idempotency key has 32 bytes" check (length(idempotency_key_hash) = 32),
  overlap_seconds integer,
  previous_expires_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index "a channel has one current webhook secret" on webhook_secrets (channel_id)
  where expires_at is null;
create unique index "a key rotates a channel's webhook secret once"
  on webhook_secrets (channel_id, idempotency_key_hash) where idempotency_key_hash is not null;
create index webhook_secrets_by_channel on webhook_secrets (channel_id, id);
comment on table webhook_secrets is 'secrets that sign the deliveries of a channel, to all of its destinations';
comment on column webhook_secrets.overlap_seconds is
  'how long the secret before remained valid when this one was drawn; null for the first';
comment on column webhook_secrets.expires_at is 'null: the current one';

-- Default webhooks and their rollouts over channels: docs/adr/0012.
create table default_webhooks (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  workspace_id bigint references workspaces,
  url text not null,
  verify_token_encrypted text,
  status text not null default 'staged' constraint "a default webhook has a known status"
    check (status in ('staged', 'current', 'replaced', 'failed', 'blocked', 'overtaken', 'abandoned')),
  failure text,
  probes jsonb not null default '{}'
    constraint "probes of a default webhook are listed by probe" check (jsonb_typeof(probes) = 'object'),
  deadline_at timestamptz not null,
  requested_by_type text not null,
  requested_by text not null,
  request_id text,
  client_address text,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "a default webhook in use has its token"
    check (verify_token_encrypted is not null or status not in ('staged', 'current')),
  constraint "a default webhook in use was verified" check (verified_at is not null or status <> 'current')
);
create index default_webhooks_by_organization on default_webhooks (organization_id, id);
create index default_webhooks_by_workspace on default_webhooks (workspace_id, id) where workspace_id is not null;
create unique index "an owner has one default webhook"
  on default_webhooks (organization_id, coalesce(workspace_id, 0)) where status = 'current';
comment on table default_webhooks is 'webhooks for channels without their own, and the saves that made them';
comment on column default_webhooks.workspace_id is 'null: of the whole organization';
comment on column default_webhooks.verify_token_encrypted is 'null once it is no longer needed';

create table webhook_configs (
  channel_id bigint primary key references channels,
  destination_id bigint unique references destinations,
  default_webhook_id bigint references default_webhooks,
  verify_token_encrypted text not null,
  verify_token_version integer not null default 1,
  revision integer not null default 0,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint "a webhook that is set was verified" check (destination_id is null or verified_at is not null)
);
create index webhook_configs_by_default on webhook_configs (default_webhook_id) where default_webhook_id is not null;
comment on table webhook_configs is 'the webhook of each channel, or only its verify token';
comment on column webhook_configs.default_webhook_id is 'the default that was applied; null: the channel''s own webhook';
comment on column webhook_configs.verify_token_version is 'incremented when another verify token replaces the present one';
comment on column webhook_configs.revision is
  'incremented when a save or a clear begins: a save commits only at the revision that it began with';

create table webhook_candidates (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  default_webhook_id bigint references default_webhooks,
  url text not null,
  verify_token_encrypted text not null,
  keeps_verify_token boolean not null default false,
  revision integer not null,
  pending text not null default 'follow' constraint "pending deliveries follow, are kept or are cancelled"
    check (pending in ('follow', 'keep', 'cancel')),
  deadline_at timestamptz not null,
  status text not null default 'staged' constraint "a candidate has a known status"
    check (status in ('staged', 'committed', 'failed', 'blocked', 'overtaken', 'abandoned')),
  failure text,
  probes jsonb not null default '{}'
    constraint "probes of a candidate are listed by probe" check (jsonb_typeof(probes) = 'object'),
  requested_by_type text,
  requested_by text,
  request_id text,
  client_address text,
  created_at timestamptz not null default now(),
  constraint "a requester has a type and an id" check ((requested_by_type is null) = (requested_by is null))
);
create index webhook_candidates_by_channel on webhook_candidates (channel_id, id);
create index webhook_candidates_of_channel on webhook_candidates (channel_id) where status = 'staged';
create index webhook_candidates_by_default on webhook_candidates (default_webhook_id)
  where default_webhook_id is not null;
comment on table webhook_candidates is 'webhook saves in progress: a workflow that receives only the id probes them';
comment on column webhook_candidates.pending is 'what happens to pending deliveries if the URL changes (docs/adr/0012)';
comment on column webhook_candidates.probes is
  'by probe, GET and POST: outcome, status, duration and the beginning of a wrong answer';

create table webhook_rollouts (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a rollout id has its form" check (public_id ~ '^dwr_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  workspace_id bigint references workspaces,
  default_webhook_id bigint not null references default_webhooks,
  channel_id bigint references channels,
  dry_run boolean not null default false,
  replace_own boolean not null default false,
  status text not null default 'running' constraint "a rollout has a known status"
    check (status in ('running', 'completed', 'cancelled')),
  last_channel_id bigint not null,
  total integer not null,
  applied integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  retry_count int not null default 0,
  retry_at timestamptz,
  idempotency_key_hash bytea constraint "the hash of a rollout's idempotency key has 32 bytes"
    check (length(idempotency_key_hash) = 32),
  request_hash bytea constraint "the hash of a rollout's request has 32 bytes" check (length(request_hash) = 32),
  requested_by_type text not null,
  requested_by text not null,
  request_id text,
  client_address text,
  started_at timestamptz,
  progressed_at timestamptz not null default now(),
  ended_at timestamptz,
  run_ended_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "a rollout with a key says what was asked for"
    check ((idempotency_key_hash is null) = (request_hash is null)),
  constraint "a rollout that has ended says when" check ((status <> 'running') = (ended_at is not null))
);
create index webhook_rollouts_by_organization on webhook_rollouts (organization_id, id);
create index webhook_rollouts_by_workspace on webhook_rollouts (workspace_id, id) where workspace_id is not null;
create index webhook_rollouts_by_default on webhook_rollouts (default_webhook_id);
create index webhook_rollouts_by_channel on webhook_rollouts (channel_id) where channel_id is not null;
create index webhook_rollouts_under_way on webhook_rollouts (progressed_at) where run_ended_at is null;
create index webhook_rollouts_failed on webhook_rollouts (channel_id) where channel_id is not null and failed > 0;
create unique index "an owner has one running rollout"
  on webhook_rollouts (organization_id, coalesce(workspace_id, 0)) where status = 'running' and channel_id is null;
create unique index "a key begins one rollout of an organization"
  on webhook_rollouts (organization_id, idempotency_key_hash) where idempotency_key_hash is not null;
comment on table webhook_rollouts is 'applications of a default webhook to all channels, or to one that was connected';
comment on column webhook_rollouts.workspace_id is 'null: of the organization''s default';
comment on column webhook_rollouts.channel_id is
  'the channel that was connected; null: a person asked for all channels';
comment on column webhook_rollouts.last_channel_id is 'channels that were connected later are not part of it';
comment on column webhook_rollouts.retry_count is 'earlier rollouts of the new channel that failed';
comment on column webhook_rollouts.retry_at is 'when another rollout follows; null: no other follows';
comment on column webhook_rollouts.run_ended_at is 'when its workflow saw the end; null: there must be a workflow';

create table webhook_rollout_results (
  rollout_id bigint not null references webhook_rollouts on delete cascade,
  channel_id bigint not null references channels,
  outcome text not null constraint "a channel of a rollout has a known outcome"
    check (outcome in ('applied', 'unchanged', 'skipped', 'failed')),
  reason text,
  detail text,
  created_at timestamptz not null default now(),
  primary key (rollout_id, channel_id),
  constraint "a channel that did not get the default says why"
    check ((reason is null) = (outcome in ('applied', 'unchanged')))
);
create index webhook_rollout_results_by_channel on webhook_rollout_results (channel_id);
comment on table webhook_rollout_results is 'what a rollout did with each channel';
