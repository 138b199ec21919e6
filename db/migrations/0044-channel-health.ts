import type { Knex } from 'knex';

/** What the platform says about connected accounts (docs/adr/0048). */
export const channelHealth: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
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
      comment on column channel_health.alert_reason is 'the reasons that need a person; null: none';
      comment on column channel_health.checked_at is 'when the platform answered last; null: never';
      comment on column channel_health.next_check_at is 'in the future during a check, so that a lost one is repeated';
      comment on column channel_health.failed_count is 'checks without an answer since the last one with an answer';
    `);
  },
  async down(knex) {
    await knex.raw('drop table channel_health');
  },
};
