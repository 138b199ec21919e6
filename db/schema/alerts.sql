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

create table alert_rules (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  workspace_id bigint references workspaces,
  min_severity text not null
    constraint "a rule has a known severity" check (min_severity in ('warning', 'critical')),
  kinds text[],
  created_at timestamptz not null default now()
);
create index alert_rules_by_organization on alert_rules (organization_id, user_id);
create index alert_rules_by_user on alert_rules (user_id);
create index alert_rules_by_workspace on alert_rules (workspace_id) where workspace_id is not null;
comment on table alert_rules is 'which alerts a person gets by mail; without rules no alerts';
comment on column alert_rules.workspace_id is 'null: all workspaces that the person can see';
comment on column alert_rules.kinds is 'null: all kinds';

create table alert_digests (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  created_at timestamptz not null default now()
);
create index alert_digests_by_organization on alert_digests (organization_id, created_at);
create index alert_digests_by_age on alert_digests (created_at);
comment on table alert_digests is 'alerts that were collected for one organization: one mail per person';

create table alert_mails (
  digest_id bigint not null references alert_digests on delete cascade,
  user_id bigint not null references users,
  attempt_count int not null default 0,
  next_attempt_at timestamptz not null default now(),
  claimed_at timestamptz,
  sent_at timestamptz,
  failed_at timestamptz,
  primary key (digest_id, user_id),
  constraint "a mail is sent or has failed" check (sent_at is null or failed_at is null)
);
create index alert_mails_unsent on alert_mails (digest_id) where sent_at is null and failed_at is null;
create index alert_mails_due on alert_mails (next_attempt_at) where sent_at is null and failed_at is null;
create index alert_mails_by_user on alert_mails (user_id);
comment on table alert_mails is 'a digest for one person';
comment on column alert_mails.claimed_at is 'when a worker began to send it; another one may a minute later';

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
comment on table alert_webhook_secrets is 'secrets that sign the calls of an alert webhook';
comment on column alert_webhook_secrets.expires_at is 'null: the current one';
