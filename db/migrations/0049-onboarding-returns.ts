import type { Knex } from 'knex';

/** How a link leads customers back to the product that embeds it, and the calls that report connected channels. */
export const onboardingReturns: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table onboarding_links
        add column success_url text,
        add column failure_url text,
        add column notification_url text,
        add column notification_secret_encrypted text,
        add column external_id text,
        add column display_name text,
        add column logo_url text,
        add column expires_at timestamptz,
        add column max_uses int constraint "a bounded link can be used at least once" check (max_uses > 0),
        add column use_count int not null default 0,
        add constraint "a link has a notification secret with its address"
          check ((notification_url is null) = (notification_secret_encrypted is null));
      comment on column onboarding_links.use_count is 'channels that were connected or reconnected through it';
      alter table channels add column onboarding_link_id bigint references onboarding_links;
      create index channels_by_onboarding_link on channels (onboarding_link_id, id) where onboarding_link_id is not null;
      comment on column channels.onboarding_link_id is 'the link through which it was last connected; null: another way';
      create table connection_notices (
        id bigint generated always as identity primary key,
        public_id text not null unique
          constraint "a connection notice id has its form" check (public_id ~ '^ntc_[A-Za-z0-9]{8}$'),
        onboarding_link_id bigint not null references onboarding_links,
        channel_id bigint not null references channels,
        is_reconnected boolean not null,
        attempt_count int not null default 0,
        next_attempt_at timestamptz default now(),
        outcome text constraint "a connection notice ends in one of two ways" check (outcome in ('sent', 'exhausted')),
        last_status int,
        created_at timestamptz not null default now(),
        constraint "a connection notice is due until it ends" check ((outcome is null) = (next_attempt_at is not null))
      );
      create index connection_notices_due on connection_notices (next_attempt_at) where outcome is null;
      create index connection_notices_by_link on connection_notices (onboarding_link_id);
      create index connection_notices_by_channel on connection_notices (channel_id);
      comment on table connection_notices is 'signed calls that report a connected channel to the owner of its link';
    `);
  },
  async down(knex) {
    await knex.raw(`
      drop table connection_notices;
      alter table channels drop column onboarding_link_id;
      alter table onboarding_links
        drop column success_url, drop column failure_url, drop column notification_url,
        drop column notification_secret_encrypted, drop column external_id, drop column display_name,
        drop column logo_url, drop column expires_at, drop column max_uses, drop column use_count;
    `);
  },
};
