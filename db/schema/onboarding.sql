create table onboarding_links (
  id bigint generated always as identity primary key,
  public_id text not null unique
    constraint "an onboarding link id has its form" check (public_id ~ '^ol_[A-Za-z0-9]{8}$'),
  organization_id bigint not null references organizations,
  workspace_id bigint references workspaces,
  label text not null constraint "an onboarding link has a label" check (length(label) between 1 and 200),
  channel_type text not null constraint "an onboarding link is for one of three types"
    check (channel_type in ('chatapp', 'photoapp', 'pageapp')),
  token_hash bytea not null unique
    constraint "an onboarding token's hash has 32 bytes" check (length(token_hash) = 32),
  token_encrypted text not null,
  external_id text,
  display_name text,
  logo_url text,
  success_url text,
  failure_url text,
  notification_url text,
  notification_secret_encrypted text,
  expires_at timestamptz,
  max_uses int constraint "a bounded link can be used at least once" check (max_uses > 0),
  use_count int not null default 0,
  created_by bigint not null references users,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint "a link has a notification secret with its address"
    check ((notification_url is null) = (notification_secret_encrypted is null))
);
create index onboarding_links_by_organization on onboarding_links (organization_id, id);
create index onboarding_links_by_workspace on onboarding_links (workspace_id);
create index onboarding_links_by_creator on onboarding_links (created_by);
comment on table onboarding_links is 'links with which customers connect their accounts';
comment on column onboarding_links.workspace_id is 'null: each customer gets a workspace of its own';
comment on column onboarding_links.use_count is 'channels that were connected or reconnected through it';

-- The two tables name each other.
alter table channels add foreign key (onboarding_link_id) references onboarding_links;

create table onboarding_attempts (
  id bigint generated always as identity primary key,
  onboarding_link_id bigint not null references onboarding_links,
  state_hash bytea not null unique
    constraint "an attempt's state hash has 32 bytes" check (length(state_hash) = 32),
  browser_hash bytea not null
    constraint "an attempt's browser hash has 32 bytes" check (length(browser_hash) = 32),
  token_encrypted text,
  status text not null default 'begun' constraint "an onboarding attempt has a known status"
    check (status in ('begun', 'granted', 'connected', 'refused', 'failed')),
  channel_id bigint references channels,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index onboarding_attempts_by_link on onboarding_attempts (onboarding_link_id, id);
create index onboarding_attempts_by_channel on onboarding_attempts (channel_id);
create index onboarding_attempts_with_token on onboarding_attempts (expires_at) where token_encrypted is not null;
create index onboarding_attempts_unconnected on onboarding_attempts (onboarding_link_id, expires_at)
  where status <> 'connected';
comment on table onboarding_attempts is 'visits of an onboarding link that asked the platform for consent';
comment on column onboarding_attempts.token_encrypted is
  'the platform''s token while the customer chooses among several accounts';
