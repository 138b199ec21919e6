-- Calls to the platform, and messages that are sent later.

create table outbound_calls (
  id bigint generated always as identity primary key,
  channel_id bigint references channels,
  workspace_id bigint references workspaces,
  via text not null
    constraint "a call goes by the gateway, the API or a workflow" check (via in ('gateway', 'api', 'workflow')),
  caller text not null,
  operation text,
  method text not null,
  path text not null constraint "a path is cut at 500 characters" check (length(path) <= 500),
  status smallint,
  error text,
  duration_ms integer not null constraint "a call takes no negative time" check (duration_ms >= 0),
  request_id text not null,
  caller_request_id text,
  platform_request_id text,
  started_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint "a call for a channel is for its workspace" check (channel_id is null or workspace_id is not null)
);
create index outbound_calls_by_channel on outbound_calls (channel_id, id);
create index outbound_calls_by_workspace on outbound_calls (workspace_id);
create index outbound_calls_by_request on outbound_calls (request_id);
create index outbound_calls_by_caller_request on outbound_calls (caller_request_id)
  where caller_request_id is not null;
comment on table outbound_calls is 'calls to the platform. Never contains a body, a query or a credential';
comment on column outbound_calls.channel_id is 'null: for no channel, or for several at once';
comment on column outbound_calls.workspace_id is
  'null: while an account is connected that gets a workspace of its own';
comment on column outbound_calls.caller is
  'the public id of the credential: key_, ac_, usr_, the beginning of a channel token, a workflow id, or the onboarding link (ol_)';
comment on column outbound_calls.status is 'null: no answer came';
comment on column outbound_calls.caller_request_id is 'the x-request-id that the caller chose; null: not chosen';

create table idempotent_calls (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  operation text not null,
  key_hash bytea not null constraint "a key's hash has 32 bytes" check (length(key_hash) = 32),
  request_hash bytea not null constraint "a call's hash has 32 bytes" check (length(request_hash) = 32),
  running_until timestamptz,
  answer jsonb,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "a key makes one call of an operation" unique (channel_id, operation, key_hash),
  constraint "an answer has its time" check ((answer is null) = (answered_at is null))
);
comment on table idempotent_calls is 'calls with an idempotency key, whose repeat gets the same answer';
comment on column idempotent_calls.running_until is
  'renewed by the process that makes the call; past or null: the call has ended, or its process died';
comment on column idempotent_calls.answer is
  'null: the call runs, or its outcome is not known; it is never made again';
