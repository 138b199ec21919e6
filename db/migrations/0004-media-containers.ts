import type { Knex } from 'knex';

const containers = `
create table media_containers (
  id bigint generated always as identity primary key,
  public_id text not null unique
    constraint "a container id has its form" check (public_id ~ '^ctr_[A-Za-z0-9]{8}$'),
  channel_id bigint not null references channels,
  workspace_id bigint not null references workspaces,
  media_type text not null constraint "a container has a known media type"
    check (media_type in ('IMAGE', 'VIDEO', 'REELS', 'STORIES', 'CAROUSEL')),
  request jsonb not null,
  child_count smallint not null
    constraint "a carousel has children, and nothing else has" check (case when media_type = 'CAROUSEL' then child_count between 2 and 10 else child_count = 0 end),
  auto_publish boolean not null,
  idempotency_key_hash bytea constraint "an idempotency key's hash has 32 bytes" check (length(idempotency_key_hash) = 32),
  request_hash bytea not null constraint "a request's hash has 32 bytes" check (length(request_hash) = 32),
  status text not null default 'creating' constraint "a container has a known status"
    check (status in ('creating', 'in_progress', 'finished', 'publishing', 'published', 'error', 'expired', 'unknown')),
  status_detail text,
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
  constraint "a published container says when, and no other does" check ((status = 'published') = (published_at is not null)),
  constraint "a final status has an end" check (status not in ('published', 'error', 'expired') or ended_at is not null),
  constraint "what moves has no end" check (status not in ('creating', 'in_progress', 'finished', 'publishing') or ended_at is null)
);
create unique index "an idempotency key makes one container of a channel"
  on media_containers (channel_id, idempotency_key_hash) where idempotency_key_hash is not null;
create unique index "a post belongs to one container"
  on media_containers (channel_id, media_id) where media_id is not null;
create index media_containers_by_channel on media_containers (channel_id, id);
create index media_containers_by_workspace on media_containers (workspace_id, id);
create index media_containers_open on media_containers (next_check_at) where ended_at is null;
comment on column media_containers.next_check_at is 'when its workflow looks at it next: long overdue means that no run has it';

create table container_parts (
  container_id bigint not null references media_containers,
  position smallint not null constraint "a container has itself and at most ten children" check (position between 0 and 10),
  sent_at timestamptz,
  outcome text constraint "a part has a known outcome" check (outcome in ('accepted', 'rejected', 'lost', 'not_sent')),
  platform_id text,
  state text constraint "a part is in a known state" check (state in ('in_progress', 'finished', 'published', 'error', 'expired')),
  created_at timestamptz not null default now(),
  primary key (container_id, position),
  constraint "an accepted part has an id at the platform, and no other has" check ((outcome is not distinct from 'accepted') = (platform_id is not null)),
  constraint "only what was sent has an outcome" check (outcome is null or outcome = 'not_sent' or sent_at is not null)
);
comment on table container_parts is 'position 0 is the container itself (of a carousel the parent), 1 to 10 are the children of a carousel';
comment on column container_parts.sent_at is 'set before the one call that makes it; without an outcome its answer was lost, or is still under way';
`;

export const mediaContainers: Knex.Migration = {
  async up(knex) {
    await knex.raw(containers);
  },
  async down(knex) {
    await knex.schema.dropTable('container_parts');
    await knex.schema.dropTable('media_containers');
  },
};
