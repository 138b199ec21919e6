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

create table scheduled_messages (
  id bigint generated always as identity primary key,
  public_id text not null unique
    constraint "a scheduled message id has its form" check (public_id ~ '^sm_[A-Za-z0-9]{8}$'),
  channel_id bigint not null references channels,
  workspace_id bigint not null references workspaces,
  created_by text not null,
  send_at timestamptz not null,
  next_attempt_at timestamptz not null,
  next_start_at timestamptz not null,
  status text not null default 'scheduled' constraint "a scheduled message has a known status"
    check (status in ('scheduled', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
  reason text,
  status_detail text,
  refusal_code text,
  message_encrypted text,
  recipient_hash bytea
    constraint "the hash of a message's recipient has 32 bytes" check (length(recipient_hash) = 32),
  other_recipient_hash bytea
    constraint "the hash of a message's other recipient has 32 bytes" check (length(other_recipient_hash) = 32),
  attempts integer not null default 0,
  platform_message_id text,
  idempotency_key_hash bytea
    constraint "the hash of a message's key has 32 bytes" check (length(idempotency_key_hash) = 32),
  request_hash bytea not null
    constraint "the hash of a message's request has 32 bytes" check (length(request_hash) = 32),
  sent_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "a message in its final status has an end"
    check ((status in ('sent', 'failed', 'unknown', 'cancelled')) = (ended_at is not null)),
  constraint "a message has its content until it ends" check ((ended_at is null) = (message_encrypted is not null))
);
create unique index "an idempotency key schedules one message of a channel"
  on scheduled_messages (channel_id, idempotency_key_hash) where idempotency_key_hash is not null;
create index scheduled_messages_by_channel on scheduled_messages (channel_id, id);
create index scheduled_messages_by_status on scheduled_messages (channel_id, status, id);
create index scheduled_messages_by_workspace on scheduled_messages (workspace_id, id);
create index scheduled_messages_by_creator on scheduled_messages (created_by, send_at) where status = 'scheduled';
create index scheduled_messages_by_recipient on scheduled_messages (recipient_hash, id)
  where recipient_hash is not null;
create index scheduled_messages_open on scheduled_messages (next_start_at) where ended_at is null;
create index scheduled_messages_open_by_channel on scheduled_messages (channel_id) where ended_at is null;
create index scheduled_messages_failed on scheduled_messages (ended_at) where status in ('failed', 'unknown');
create index scheduled_messages_ended on scheduled_messages (ended_at) where ended_at is not null;
comment on table scheduled_messages is
  'messages that a client schedules. A row keeps no content once its message has ended';
comment on column scheduled_messages.created_by is 'public id of the credential that scheduled it';
comment on column scheduled_messages.next_attempt_at is
  'when it is due: send_at, or later after a temporary refusal';
comment on column scheduled_messages.next_start_at is
  'when the upkeep starts its workflow, a few seconds earlier; moved ahead while it has a run';
comment on column scheduled_messages.refusal_code is 'the error code of the refusal that ended the message';
comment on column scheduled_messages.recipient_hash is
  'finds the messages to a person whose data is erased; the recipient is part of the encrypted content';
comment on column scheduled_messages.other_recipient_hash is
  'of the second id, for a message to a phone number and a user id of one person';
comment on column scheduled_messages.sent_at is 'set by the claim before its only call; null again after a refusal';
