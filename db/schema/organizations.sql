create table organizations (
  id bigint generated always as identity primary key,
  public_id text not null unique
    constraint "an organization id has its form" check (public_id ~ '^org_[A-Za-z0-9]{8}$'),
  name text not null constraint "an organization has a name" check (length(name) between 1 and 200),
  made_by bigint references users,
  limits jsonb not null default '{}'
    constraint "limits are listed by name" check (jsonb_typeof(limits) = 'object'),
  created_at timestamptz not null default now()
);
create index organizations_by_maker on organizations (made_by);
comment on table organizations is 'the customers of the installation, each with its people, keys and workspaces';
comment on column organizations.made_by is
  'the person who signed in and had no organization; null: made by the operator';
comment on column organizations.limits is
  'by name, what the operator has set instead of the limits of contract/limits.ts';

create table organization_branding (
  organization_id bigint primary key references organizations,
  display_name text
    constraint "a display name has 1 to 200 characters" check (length(display_name) between 1 and 200),
  logo_url text,
  color text constraint "a color is #rrggbb" check (color ~ '^#[0-9a-f]{6}$'),
  portal_frame_ancestors text[] not null default '{}'
    constraint "at most 10 origins frame the portal" check (cardinality(portal_frame_ancestors) <= 10),
  updated_at timestamptz not null default now()
);
comment on table organization_branding is 'how portals and connect pages look to customers of the organization';

create table workspaces (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a workspace id has its form" check (public_id ~ '^ws_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  name text not null constraint "a workspace has a name" check (length(name) between 1 and 200),
  kind text not null constraint "a workspace is a team or a customer" check (kind in ('team', 'customer')),
  external_id text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint "only customers have an external id" check (external_id is null or kind = 'customer')
);
create index workspaces_by_organization on workspaces (organization_id, id);
create unique index "an external id names one customer of an organization"
  on workspaces (organization_id, external_id) where external_id is not null and deleted_at is null;
comment on table workspaces is 'owners of channels: a team, or a customer of the organization';

create table api_keys (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "an API key id has its form" check (public_id ~ '^key_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  owned_by_organization boolean not null default false,
  name text not null constraint "an API key has a name" check (length(name) between 1 and 200),
  token_hash bytea not null unique constraint "a token hash has 32 bytes" check (length(token_hash) = 32),
  token_encrypted text not null,
  scopes text[],
  workspace_ids bigint[]
    constraint "a limited key names 1 to 50 workspaces" check (cardinality(workspace_ids) between 1 and 50),
  allowed_cidrs text[]
    constraint "a limited key names 1 to 50 address blocks" check (cardinality(allowed_cidrs) between 1 and 50),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_by_organization on api_keys (organization_id, id);
create index api_keys_by_user on api_keys (user_id);
comment on table api_keys is 'keys of people and of agents';
comment on column api_keys.owned_by_organization is
  'whether a key with scopes outlives the membership of the person who created it';
comment on column api_keys.scopes is 'null: full access to the organization; otherwise the scopes of an agent credential';
comment on column api_keys.workspace_ids is 'the only workspaces that the key can reach; null: all of the organization';
comment on column api_keys.allowed_cidrs is 'the address blocks of its callers; null: any address';

create table portal_links (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a portal link id has its form" check (public_id ~ '^ptl_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  workspace_id bigint not null references workspaces,
  channel_ids bigint[]
    constraint "a limited portal link names 1 to 100 channels" check (cardinality(channel_ids) between 1 and 100),
  name text,
  rights text[] not null constraint "a portal link has rights" check (cardinality(rights) > 0),
  secret_hash bytea not null unique,
  created_by bigint not null references users,
  api_key_id bigint references api_keys,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  use_count int not null default 0,
  constraint "a portal link lives at most a day" check (expires_at <= created_at + interval '1 day')
);
create index portal_links_by_workspace on portal_links (workspace_id, id);
create index portal_links_by_organization on portal_links (organization_id, created_at);
create index portal_links_by_creator on portal_links (created_by);
create index portal_links_by_key on portal_links (api_key_id);
create index portal_links_by_end on portal_links (expires_at);
comment on table portal_links is 'links with which a customer sees its own channels without an account';
comment on column portal_links.channel_ids is 'the only channels that the link shows; null: all of the workspace';
comment on column portal_links.api_key_id is 'the key that created the link, with which the link ends; null: a person';
