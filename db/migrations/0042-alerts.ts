import type { Knex } from 'knex';

const alerts = `
create table alerts (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "an alert id has its form" check (public_id ~ '^alr_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  workspace_id bigint references workspaces,
  channel_id bigint references channels,
  kind text not null,
  severity text not null constraint "an alert has a known severity" check (severity in ('warning', 'critical')),
  cause_key bigint not null,
  subject_type text not null,
  subject_id text,
  subject_label text not null,
  reason text,
  occurrences integer not null default 1 constraint "an alert has occurred" check (occurrences > 0),
  opened_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolution text constraint "an alert is resolved in a known way" check (resolution in ('ended', 'acknowledged')),
  acknowledged_at timestamptz,
  acknowledged_by text,
  muted_until timestamptz,
  opened_digest_id bigint,
  resolved_digest_id bigint,
  constraint "a resolved alert says how" check ((resolved_at is null) = (resolution is null)),
  constraint "an acknowledged alert says by whom" check ((acknowledged_at is null) = (acknowledged_by is null))
);
create unique index "a cause has one open alert" on alerts (kind, cause_key) where resolved_at is null;
create index alerts_by_cause on alerts (kind, cause_key, resolved_at);
create index alerts_by_organization on alerts (organization_id, id);
create index alerts_open on alerts (organization_id, id) where resolved_at is null;
create index alerts_by_workspace on alerts (workspace_id, id);
create index alerts_by_channel on alerts (channel_id, id) where channel_id is not null;
create index alerts_to_announce on alerts (organization_id, id) where opened_digest_id is null and resolved_at is null;
create index alerts_to_end on alerts (organization_id, id)
  where opened_digest_id is not null and resolved_digest_id is null and resolved_at is not null;
create index alerts_resolved on alerts (resolved_at) where resolved_at is not null;
create index alerts_by_opened_digest on alerts (opened_digest_id) where opened_digest_id is not null;
create index alerts_by_resolved_digest on alerts (resolved_digest_id) where resolved_digest_id is not null;
comment on table alerts is 'causes that people should look at; written by the reconciler of the upkeep';
comment on column alerts.workspace_id is 'null: of the whole organization';
comment on column alerts.cause_key is 'number of the row that the cause is about, such as a destination';
comment on column alerts.acknowledged_by is 'usr_…, key_… or ac_…';
comment on column alerts.opened_digest_id is 'the digest that announced it; null: not announced yet';
comment on column alerts.resolved_digest_id is 'the digest that announced its end';
`;

const digests = `
create table alert_digests (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  created_at timestamptz not null default now()
);
create index alert_digests_by_organization on alert_digests (organization_id, created_at);
create table alert_mails (
  digest_id bigint not null references alert_digests on delete cascade,
  user_id bigint not null references users,
  claimed_at timestamptz,
  sent_at timestamptz,
  failed_at timestamptz,
  primary key (digest_id, user_id),
  constraint "a mail is sent or has failed" check (sent_at is null or failed_at is null)
);
create index alert_mails_unsent on alert_mails (digest_id) where sent_at is null and failed_at is null;
create index alert_mails_by_user on alert_mails (user_id);
comment on column alert_mails.claimed_at is 'when a worker began to send it; another one may a minute later';
comment on table alert_digests is 'what was gathered for one organization: one mail per person';

create table alert_rules (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  workspace_id bigint references workspaces,
  min_severity text not null constraint "a rule has a known severity" check (min_severity in ('warning', 'critical')),
  kinds text[],
  created_at timestamptz not null default now()
);
create index alert_rules_by_organization on alert_rules (organization_id, user_id);
create index alert_rules_by_user on alert_rules (user_id);
create index alert_rules_by_workspace on alert_rules (workspace_id) where workspace_id is not null;
comment on table alert_rules is 'which alerts a person gets by mail; without rules none';
comment on column alert_rules.workspace_id is 'null: all workspaces that the person can see';
comment on column alert_rules.kinds is 'null: all kinds';
`;

/** What the reconciler reads. Each index has only rows with trouble. */
const causes = `
alter table destinations add column exhausted_count bigint not null default 0, add column last_exhausted_at timestamptz;
comment on column destinations.exhausted_count is 'deliveries exhausted while that lasts; see db/ledger/destinations/exhausted-sql.ts';
create index destinations_exhausted on destinations (last_exhausted_at) where last_exhausted_at is not null;
create index destinations_disabled on destinations (id)
  where disabled_reason in ('gone', 'failing') and deleted_at is null;
create index channels_lost on channels (disconnected_at) where disconnected_reason is not null;
create index media_containers_failed on media_containers (channel_id, ended_at) where status = 'error';
create index media_containers_unknown on media_containers (channel_id, created_at) where status = 'unknown';
alter table replays
  add column judged_through bigint not null default 0,
  add column judged_failed integer not null default 0,
  add column last_failed_at timestamptz,
  add column judged_at timestamptz default now();
alter table replays alter column judged_at drop default;
create index replays_to_judge on replays (id) where judged_at is null and status = 'completed';
create index replays_failed on replays (last_failed_at) where last_failed_at is not null;
comment on column replays.judged_through is 'how far the outcomes of its deliveries have been counted for its alert';
`;

export const alertTables: Knex.Migration = {
  async up(knex) {
    await knex.raw(alerts);
    await knex.raw(digests);
    await knex.raw(causes);
  },
  async down(knex) {
    await knex.raw(`
      drop index replays_failed; drop index replays_to_judge;
      alter table replays drop column judged_through, drop column judged_failed, drop column last_failed_at,
        drop column judged_at;
      drop index media_containers_unknown; drop index media_containers_failed; drop index channels_lost;
      drop index destinations_disabled; drop index destinations_exhausted;
      alter table destinations drop column exhausted_count, drop column last_exhausted_at;
    `);
    const tables = ['alert_rules', 'alert_mails', 'alert_digests', 'alerts'];
    for (const table of tables) await knex.schema.dropTable(table);
  },
};
