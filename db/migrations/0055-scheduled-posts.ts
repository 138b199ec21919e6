import type { Knex } from 'knex';

/** Posts that a client schedules. At its time, a post becomes a media container, which is published when it is ready. */
export const scheduledPosts: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      create table scheduled_posts (
        id bigint generated always as identity primary key,
        public_id text not null unique
          constraint "a scheduled post id has its form" check (public_id ~ '^sp_[A-Za-z0-9]{8}$'),
        channel_id bigint not null references channels,
        workspace_id bigint not null references workspaces,
        created_by text not null,
        publish_at timestamptz not null,
        next_start_at timestamptz not null,
        status text not null default 'scheduled' constraint "a scheduled post has a known status"
          check (status in ('scheduled', 'started', 'failed', 'cancelled')),
        reason text,
        status_detail text,
        input jsonb,
        container_public_id text,
        idempotency_key_hash bytea constraint "the hash of a post's key has 32 bytes" check (length(idempotency_key_hash) = 32),
        request_hash bytea not null constraint "the hash of a post's request has 32 bytes" check (length(request_hash) = 32),
        ended_at timestamptz,
        created_at timestamptz not null default now(),
        constraint "a post in its final status has an end" check ((status in ('failed', 'cancelled')) = (ended_at is not null)),
        constraint "a waiting or started post has its content" check ((ended_at is null) = (input is not null)),
        constraint "a started post has a container" check (status <> 'started' or container_public_id is not null)
      );
      create unique index "an idempotency key schedules one post of a channel"
        on scheduled_posts (channel_id, idempotency_key_hash) where idempotency_key_hash is not null;
      create index scheduled_posts_by_channel on scheduled_posts (channel_id, id);
      create index scheduled_posts_by_workspace on scheduled_posts (workspace_id);
      create index scheduled_posts_due on scheduled_posts (next_start_at) where status = 'scheduled';
      create index scheduled_posts_open_by_channel on scheduled_posts (channel_id) where status = 'scheduled';
      create index scheduled_posts_started on scheduled_posts (publish_at) where status = 'started';
      create index scheduled_posts_ended on scheduled_posts (ended_at) where ended_at is not null;
      comment on column scheduled_posts.next_start_at is
        'publish_at, or later after a container that was not sent to the platform';
      comment on column scheduled_posts.container_public_id is
        'the media container of the last start, without a reference, because both are deleted on their own';
      comment on column scheduled_posts.created_by is 'public id of the credential that scheduled it';
    `);
  },
  async down(knex) {
    await knex.schema.dropTable('scheduled_posts');
  },
};
