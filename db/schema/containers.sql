-- Posts with media. The platform makes a container from the media, which is then published.

create table media_containers (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a container id has its form" check (public_id ~ '^ctr_[A-Za-z0-9]{8}$'),
  channel_id bigint not null references channels,
  workspace_id bigint not null references workspaces,
  media_type text not null constraint "a container has a known media type"
    check (media_type in ('IMAGE', 'VIDEO', 'REELS', 'STORIES', 'CAROUSEL')),
  request jsonb not null,
  child_count smallint not null constraint "a carousel has children, and nothing else has"
    check (case when media_type = 'CAROUSEL' then child_count between 2 and 10 else child_count = 0 end),
  auto_publish boolean not null,
  idempotency_key_hash bytea
    constraint "an idempotency key's hash has 32 bytes" check (length(idempotency_key_hash) = 32),
  request_hash bytea not null constraint "a request's hash has 32 bytes" check (length(request_hash) = 32),
  status text not null default 'creating' constraint "a container has a known status"
    check (status in ('creating', 'in_progress', 'finished', 'publishing', 'published', 'error', 'expired', 'unknown')),
  status_detail text,
  refusal_code text,
  refusal_retry_at timestamptz,
  too_early_at timestamptz,
  create_by timestamptz not null,
  expires_at timestamptz not null,
  checked_at timestamptz,
  next_check_at timestamptz,
  publish_sent_at timestamptz,
  media_id text,
  permalink text,
  published_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "a published container says when, and no other does"
    check ((status = 'published') = (published_at is not null)),
  constraint "a final status has an end" check (status not in ('published', 'error', 'expired') or ended_at is not null),
  constraint "what moves has no end"
    check (status not in ('creating', 'in_progress', 'finished', 'publishing') or ended_at is null)
);
create unique index "an idempotency key makes one container of a channel"
  on media_containers (channel_id, idempotency_key_hash) where idempotency_key_hash is not null;
create unique index "a post belongs to one container"
  on media_containers (channel_id, media_id) where media_id is not null;
create index media_containers_by_channel on media_containers (channel_id, id);
create index media_containers_by_workspace on media_containers (workspace_id, id);
create index media_containers_open on media_containers (next_check_at) where ended_at is null;
create index media_containers_failed on media_containers (channel_id, ended_at) where status = 'error';
create index media_containers_failed_at on media_containers (ended_at, channel_id) where status = 'error';
create index media_containers_unknown on media_containers (channel_id, (coalesce(ended_at, created_at)))
  where status = 'unknown';
create index media_containers_unknown_at on media_containers ((coalesce(ended_at, created_at)), channel_id)
  where status = 'unknown';
comment on table media_containers is 'posts that a client creates, from their creation to their publication';
comment on column media_containers.refusal_code is
  'the error code of the last refused create or publish; null without a refusal';
comment on column media_containers.refusal_retry_at is 'when a repeat may succeed; null if it does not help';
comment on column media_containers.too_early_at is
  'when the platform last refused to create the carousel, or to publish, because it is not finished';
comment on column media_containers.next_check_at is
  'when its workflow looks at it next: long overdue means that it has no run';

create table container_parts (
  container_id bigint not null references media_containers,
  position smallint not null
    constraint "a container has itself and at most ten children" check (position between 0 and 10),
  sent_at timestamptz,
  outcome text
    constraint "a part has a known outcome" check (outcome in ('accepted', 'rejected', 'lost', 'not_sent')),
  platform_id text,
  state text constraint "a part is in a known state"
    check (state in ('in_progress', 'finished', 'published', 'error', 'expired')),
  created_at timestamptz not null default now(),
  primary key (container_id, position),
  constraint "an accepted part has an id at the platform, and no other has"
    check ((outcome is not distinct from 'accepted') = (platform_id is not null)),
  constraint "only what was sent has an outcome" check (outcome is null or outcome = 'not_sent' or sent_at is not null)
);
create index container_parts_by_platform_id on container_parts (platform_id) where platform_id is not null;
comment on table container_parts is
  'position 0 is the container itself (of a carousel the parent), 1 to 10 are the children of a carousel';
comment on column container_parts.sent_at is
  'set before the one call that makes it; without an outcome its answer was lost, or the call still runs';

create table gateway_containers (
  channel_id bigint not null references channels,
  account_id text not null
    constraint "a container's account is not empty" check (length(account_id) between 1 and 200),
  platform_id text not null
    constraint "a container's id at the platform is not empty" check (length(platform_id) between 1 and 256),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (channel_id, account_id, platform_id)
);
create index gateway_containers_by_expiry on gateway_containers (expires_at);
comment on table gateway_containers is
  'containers created through the gateway: only the answer to the creation proves the owner. Each insert removes some expired rows';

create table containers_to_erase (
  container_id bigint primary key references media_containers on delete cascade,
  created_at timestamptz not null default now()
);
comment on table containers_to_erase is
  'containers that an erasure reached before they ended: the text of a post in progress is still needed';
