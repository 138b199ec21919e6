create table organization_members (
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  role text not null constraint "a member is admin or member" check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index organization_members_by_user on organization_members (user_id);
comment on table organization_members is 'people of an organization; an admin reaches all of its workspaces';

create table workspace_members (
  workspace_id bigint not null references workspaces,
  user_id bigint not null references users,
  role text not null
    constraint "a workspace member has a known role" check (role in ('member', 'developer', 'admin')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_by_user on workspace_members (user_id);
comment on table workspace_members is 'members of an organization in its workspaces; a developer sees secrets too';

create table invitations (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "an invitation id has its form" check (public_id ~ '^inv_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  workspace_id bigint references workspaces,
  email text not null constraint "an invitation's email is in lower case" check (email = lower(email)),
  organization_role text not null
    constraint "one is invited as admin or member" check (organization_role in ('admin', 'member')),
  workspace_role text
    constraint "an invitation has a known workspace role" check (workspace_role in ('member', 'developer', 'admin')),
  invited_by bigint not null references users,
  token_hash bytea not null unique
    constraint "an invitation's token hash has 32 bytes" check (length(token_hash) = 32),
  token_encrypted text,
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
create index invitations_by_age on invitations (created_at);
comment on table invitations is 'people who may join an organization with the link that is mailed to them';
comment on column invitations.token_encrypted is 'sealed until the mail that carries it is sent, then null';

create table agent_credentials (
  id bigint generated always as identity primary key,
  public_id text not null unique
    constraint "an agent credential id has its form" check (public_id ~ '^ac_[A-Za-z0-9]{8}$'),
  api_key_id bigint not null unique references api_keys,
  created_at timestamptz not null default now()
);
comment on table agent_credentials is
  'API keys that an agent got with a mailed code; their scopes and expiry are those of the key';

create table email_registrations (
  id bigint generated always as identity primary key,
  public_id text not null unique
    constraint "a registration id has its form" check (public_id ~ '^reg_[A-Za-z0-9]{8}$'),
  purpose text not null
    constraint "a code is for an agent or for signing in" check (purpose in ('agent', 'sign_in')),
  email text not null constraint "a registration's email is in lower case" check (email = lower(email)),
  organization_id bigint references organizations,
  scopes text[],
  client_hash bytea not null,
  network_hash bytea constraint "a network's hash has 32 bytes" check (length(network_hash) = 32),
  browser_hash bytea constraint "a browser's hash has 32 bytes" check (length(browser_hash) = 32),
  known boolean not null default false,
  code_hash bytea,
  code_key_id text,
  wrong_count smallint not null default 0
    constraint "five wrong codes lock a registration" check (wrong_count between 0 and 5),
  status text not null default 'open'
    constraint "a registration has a known status" check (status in ('open', 'completed', 'locked', 'expired')),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint "only an agent asks for scopes" check ((purpose = 'agent') = (scopes is not null)),
  constraint "a browser that is counted apart is known" check (browser_hash is null or known)
);
create index email_registrations_by_email on email_registrations (email, created_at);
create index email_registrations_by_client on email_registrations (client_hash, created_at);
create index email_registrations_by_network on email_registrations (network_hash, created_at)
  where network_hash is not null;
create index email_registrations_by_organization on email_registrations (organization_id);
comment on table email_registrations is
  'codes that were mailed. Known browsers count apart, so that strangers use up nothing of the owner''s share (docs/agents.md)';
comment on column email_registrations.network_hash is 'the IPv6 /48 of the client; null for IPv4';
comment on column email_registrations.browser_hash is
  'the browser that asked, if the address has signed in with it before; null: counted by client_hash';
comment on column email_registrations.known is
  'the browser, or the client, has shown a right code of this address before';
comment on column email_registrations.code_key_id is 'the key of ENCRYPTION_KEYS that hashed the code; null: no code';

create table code_tries (
  id bigint generated always as identity primary key,
  client_hash bytea not null,
  network_hash bytea,
  tried_at timestamptz not null
);
comment on table code_tries is
  'wrong mail codes of the last hour from browsers that are not known, over the whole installation';
