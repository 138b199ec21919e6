import type { Knex } from 'knex';

const people = `
create table email_registrations (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a registration id has its form" check (public_id ~ '^reg_[A-Za-z0-9]{8}$'),
  purpose text not null constraint "a code is for an agent or for signing in" check (purpose in ('agent', 'sign_in')),
  email text not null constraint "a registration's email is in lower case" check (email = lower(email)),
  organization_id bigint references organizations,
  scopes text[],
  client_hash bytea not null,
  code_hash bytea,
  wrong_count smallint not null default 0
    constraint "five wrong codes lock a registration" check (wrong_count between 0 and 5),
  status text not null default 'open'
    constraint "a registration has a known status" check (status in ('open', 'completed', 'locked', 'expired')),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint "only an agent asks for scopes" check ((purpose = 'agent') = (scopes is not null))
);
create index email_registrations_by_email on email_registrations (email, created_at);
create index email_registrations_by_client on email_registrations (client_hash, created_at);
create index email_registrations_by_organization on email_registrations (organization_id);

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  token_hash bytea not null unique constraint "a session token's hash has 32 bytes" check (length(token_hash) = 32),
  refresh_hash bytea unique constraint "a refresh token's hash has 32 bytes" check (length(refresh_hash) = 32),
  user_agent text,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id) where revoked_at is null;

create table agent_credentials (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "an agent credential id has its form" check (public_id ~ '^ac_[A-Za-z0-9]{8}$'),
  api_key_id bigint not null unique references api_keys,
  created_at timestamptz not null default now()
);
comment on table agent_credentials is 'API keys that were got by e-mail code; their scopes and expiry stand with the key';

create table invitations (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  workspace_id bigint references workspaces,
  email text not null constraint "an invitation's email is in lower case" check (email = lower(email)),
  organization_role text not null constraint "one is invited as admin or member" check (organization_role in ('admin', 'member')),
  workspace_role text constraint "one is invited to a workspace as admin or member" check (workspace_role in ('admin', 'member')),
  invited_by bigint not null references users,
  token_hash bytea not null unique constraint "an invitation's token hash has 32 bytes" check (length(token_hash) = 32),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "a workspace role goes with a workspace" check ((workspace_id is null) = (workspace_role is null))
);
create index invitations_by_organization on invitations (organization_id, id);
create index invitations_by_workspace on invitations (workspace_id);
create index invitations_by_inviter on invitations (invited_by);
create index invitations_by_email on invitations (email);

alter table api_keys add column last_used_at timestamptz;
`;

const onboarding = `
create table onboarding_links (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "an onboarding link id has its form" check (public_id ~ '^ol_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  workspace_id bigint references workspaces,
  label text not null constraint "an onboarding link has a label" check (length(label) between 1 and 200),
  channel_type text not null constraint "an onboarding link is for one of three types" check (channel_type in ('chatapp', 'photoapp', 'pageapp')),
  token_hash bytea not null unique constraint "an onboarding token's hash has 32 bytes" check (length(token_hash) = 32),
  token_encrypted text not null,
  created_by bigint not null references users,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index onboarding_links_by_organization on onboarding_links (organization_id, id);
create index onboarding_links_by_workspace on onboarding_links (workspace_id);
create index onboarding_links_by_creator on onboarding_links (created_by);

create table onboarding_attempts (
  id bigint generated always as identity primary key,
  onboarding_link_id bigint not null references onboarding_links,
  state_hash bytea not null unique constraint "an attempt's state hash has 32 bytes" check (length(state_hash) = 32),
  browser_hash bytea not null constraint "an attempt's browser hash has 32 bytes" check (length(browser_hash) = 32),
  token_encrypted text,
  status text not null default 'begun'
    constraint "an onboarding attempt has a known status" check (status in ('begun', 'granted', 'connected', 'refused', 'failed')),
  channel_id bigint references channels,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index onboarding_attempts_by_link on onboarding_attempts (onboarding_link_id, id);
create index onboarding_attempts_by_channel on onboarding_attempts (channel_id);
create index onboarding_attempts_with_token on onboarding_attempts (expires_at) where token_encrypted is not null;
comment on column onboarding_attempts.token_encrypted is 'the platform token while the customer chooses among several accounts';
`;

const audit = `
create table audit_entries (
  id bigint generated always as identity primary key,
  organization_id bigint references organizations,
  workspace_id bigint references workspaces,
  actor_type text not null constraint "an actor has a known type" check (actor_type in ('user', 'api_key', 'agent', 'staff', 'system')),
  actor_id text not null,
  action text not null,
  target_id text,
  reason text,
  request_id text,
  client_address text,
  created_at timestamptz not null default now()
);
create index audit_entries_by_organization on audit_entries (organization_id, id);
create index audit_entries_by_workspace on audit_entries (workspace_id, id);
comment on table audit_entries is 'security-relevant acts; written in the transaction of the act, never changed';
`;

const tables = [
  'audit_entries',
  'onboarding_attempts',
  'onboarding_links',
  'invitations',
  'agent_credentials',
  'sessions',
  'email_registrations',
];

export const peopleAndOnboarding: Knex.Migration = {
  async up(knex) {
    await knex.raw(people);
    await knex.raw(onboarding);
    await knex.raw(audit);
  },
  async down(knex) {
    await knex.schema.alterTable('api_keys', (table) => table.dropColumn('last_used_at'));
    for (const table of tables) await knex.schema.dropTable(table);
  },
};
