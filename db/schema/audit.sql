create table audit_entries (
  id bigint generated always as identity primary key,
  organization_id bigint references organizations,
  workspace_id bigint references workspaces,
  actor_type text not null constraint "an actor has a known type"
    check (actor_type in ('user', 'api_key', 'agent', 'staff', 'portal', 'system')),
  actor_id text not null,
  action text not null,
  target_id text,
  reason text,
  request_id text,
  caller_request_id text,
  client_address text,
  created_at timestamptz not null default now()
);
create index audit_entries_by_organization on audit_entries (organization_id, id);
create index audit_entries_by_workspace on audit_entries (workspace_id, id);
create index audit_entries_for_staff on audit_entries (id) where organization_id is null or actor_type = 'staff';
create unique index audit_refused_addresses
  on audit_entries (actor_id, reason, date_trunc('hour', created_at at time zone 'UTC'))
  where action = 'apiKey.addressRefused';
comment on table audit_entries is 'security-relevant acts; written in the transaction of the act, never changed';
comment on column audit_entries.caller_request_id is 'the x-request-id that the caller chose; null: not chosen';
comment on index audit_entries_for_staff is 'what staff did anywhere, and what happened in no organization';
comment on index audit_refused_addresses is
  'bounds the entries for refused addresses, in any number of processes';
