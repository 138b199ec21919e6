import type { Knex } from 'knex';

/** Each alert email waits for its own retry. Each alert call keeps what its webhook selected at its start. */
export const alertMailRetries: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table alert_mails
        add column attempt_count int not null default 0,
        add column next_attempt_at timestamptz not null default now();
      create index alert_mails_due on alert_mails (next_attempt_at) where sent_at is null and failed_at is null;
      create index alert_digests_by_age on alert_digests (created_at);
      alter table alert_calls
        add column min_severity text,
        add column kinds text[];
      comment on column alert_calls.min_severity is 'what the webhook selected when the call was stored; null: before this migration';
      comment on column alert_calls.kinds is 'what the webhook selected when the call was stored; null: all kinds';

      create index media_containers_failed_at on media_containers (ended_at, channel_id) where status = 'error';
      drop index media_containers_unknown;
      create index media_containers_unknown on media_containers (channel_id, (coalesce(ended_at, created_at)))
        where status = 'unknown';
      create index media_containers_unknown_at on media_containers ((coalesce(ended_at, created_at)), channel_id)
        where status = 'unknown';
    `);
  },
  async down(knex) {
    await knex.raw(`
      drop index media_containers_unknown_at; drop index media_containers_unknown; drop index media_containers_failed_at;
      create index media_containers_unknown on media_containers (channel_id, created_at) where status = 'unknown';
      alter table alert_calls drop column min_severity, drop column kinds;
      drop index alert_digests_by_age; drop index alert_mails_due;
      alter table alert_mails drop column attempt_count, drop column next_attempt_at;
    `);
  },
};
