import type { Knex } from 'knex';

const tokens = `
create table channel_tokens (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  token_hash bytea not null unique constraint "a channel token's hash has 32 bytes" check (length(token_hash) = 32),
  token_encrypted text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index "a channel has one current token"
  on channel_tokens (channel_id) where expires_at is null and revoked_at is null;
create index channel_tokens_by_channel on channel_tokens (channel_id, id);
comment on column channel_tokens.expires_at is 'the end of its overlap, once another has taken its place; null: the current one';

create table channel_token_rotations (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  overlap_seconds integer not null
    constraint "an overlap lasts a week at most" check (overlap_seconds between 0 and 604800),
  idempotency_key_hash bytea constraint "a rotation key's hash has 32 bytes" check (length(idempotency_key_hash) = 32),
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
  constraint "a rotation that was made has its token, and no other has" check ((status = 'rotated') = (token_id is not null))
);
create unique index "an idempotency key rotates a channel's token once"
  on channel_token_rotations (channel_id, idempotency_key_hash) where idempotency_key_hash is not null;
create index channel_token_rotations_by_channel on channel_token_rotations (channel_id, id);
comment on table channel_token_rotations is 'rotations that were asked for: made by a workflow that is told only the id';
`;

const reasons = `
alter table channels
  add column disconnected_reason text,
  add constraint "a reason stands with disconnected channels only"
    check (disconnected_reason is null or disconnected_at is not null);
`;

const refreshes = `
alter table connection_credentials
  add column refreshed_at timestamptz,
  add column refresh_claimed_at timestamptz;
create index connection_credentials_by_expiry on connection_credentials (expires_at) where expires_at is not null;
comment on column connection_credentials.refresh_claimed_at is 'when a worker last took it upon itself to have a workflow refresh it';
`;

export const channelTokens: Knex.Migration = {
  async up(knex) {
    await knex.raw(tokens);
    await knex.raw(reasons);
    await knex.raw(refreshes);
  },
  async down(knex) {
    await knex.schema.dropTable('channel_token_rotations');
    await knex.schema.dropTable('channel_tokens');
    await knex.schema.alterTable('channels', (table) => table.dropColumn('disconnected_reason'));
    await knex.schema.alterTable('connection_credentials', (table) =>
      table.dropColumns('refreshed_at', 'refresh_claimed_at'),
    );
  },
};
