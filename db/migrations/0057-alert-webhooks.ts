import type { Knex } from 'knex';

/** An organization's own address for its alerts, the secrets that sign its calls, and the calls themselves. */
export const alertWebhooks: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      create table alert_webhooks (
        id bigint generated always as identity primary key,
        organization_id bigint not null unique references organizations,
        url text not null,
        enabled boolean not null,
        min_severity text not null
          constraint "an alert webhook has a known severity" check (min_severity in ('warning', 'critical')),
        kinds text[],
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      comment on table alert_webhooks is 'where an organization gets its alerts by signed calls; never a webhook of a channel';
      comment on column alert_webhooks.kinds is 'null: all kinds';

      create table alert_webhook_secrets (
        id bigint generated always as identity primary key,
        alert_webhook_id bigint not null references alert_webhooks,
        secret_encrypted text not null,
        idempotency_key_hash bytea,
        overlap_seconds int,
        previous_expires_at timestamptz,
        created_at timestamptz not null default now(),
        expires_at timestamptz
      );
      create unique index "an alert webhook has one current secret" on alert_webhook_secrets (alert_webhook_id)
        where expires_at is null;
      create unique index "an alert webhook secret is rotated once per key"
        on alert_webhook_secrets (alert_webhook_id, idempotency_key_hash) where idempotency_key_hash is not null;
      comment on column alert_webhook_secrets.expires_at is 'null: the current one';

      create table alert_calls (
        id bigint generated always as identity primary key,
        public_id text not null unique
          constraint "an alert call id has its form" check (public_id ~ '^alc_[A-Za-z0-9]{8}$'),
        alert_webhook_id bigint not null references alert_webhooks,
        digest_id bigint references alert_digests on delete cascade,
        type text not null
          constraint "an alert call has a known type" check (type in ('alert.opened', 'alert.resolved', 'alert.test')),
        attempt_count int not null default 0,
        next_attempt_at timestamptz default now(),
        last_attempt_at timestamptz,
        last_status int,
        last_error text,
        outcome text
          constraint "an alert call ends in a known way" check (outcome in ('delivered', 'failed', 'skipped')),
        created_at timestamptz not null default now(),
        constraint "an alert call is due until it ends" check ((outcome is null) = (next_attempt_at is not null)),
        constraint "only a test call has no digest" check ((digest_id is null) = (type = 'alert.test')),
        constraint "a digest makes one call of a type" unique (digest_id, alert_webhook_id, type)
      );
      create index alert_calls_due on alert_calls (next_attempt_at) where outcome is null;
      create index alert_calls_by_webhook on alert_calls (alert_webhook_id, last_attempt_at);
      create index alert_calls_by_age on alert_calls (created_at);
      comment on table alert_calls is 'signed calls to alert webhooks: at most one of each type for a digest';
      comment on column alert_calls.last_error is 'a code of the guarded client; null after a response';
    `);
  },
  async down(knex) {
    for (const table of ['alert_calls', 'alert_webhook_secrets', 'alert_webhooks']) await knex.schema.dropTable(table);
  },
};
