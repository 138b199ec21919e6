create table scheduled (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  kind text not null constraint "something scheduled is a message or a post" check (kind in ('message', 'post')),
  channel_id bigint not null references channels,
  workspace_id bigint not null references workspaces,
  created_by text not null,
  due_at timestamptz not null,
  act_at timestamptz not null,
  status text not null default 'scheduled',
  reason text,
  status_detail text,
  refusal_code text,
  message_encrypted text,
  recipient_hash bytea constraint "the hash of a message's recipient has 32 bytes" check (length(recipient_hash) = 32),
  other_recipient_hash bytea
    constraint "the hash of a message's other recipient has 32 bytes" check (length(other_recipient_hash) = 32),
  attempts integer not null default 0,
  platform_message_id text,
  input jsonb,
  container_public_id text,
  idempotency_key_hash bytea
    constraint "the hash of a scheduled message's or post's key has 32 bytes" check (length(idempotency_key_hash) = 32),
  request_hash bytea not null
    constraint "the hash of a scheduled message's or post's request has 32 bytes" check (length(request_hash) = 32),
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "the id of a scheduled message or post has its form"
    check (public_id ~ case kind when 'message' then '^sm_[A-Za-z0-9]{8}$' else '^sp_[A-Za-z0-9]{8}$' end),
  constraint "a scheduled message or post has a known status"
    check (status = any (case kind when 'message'
      then array['scheduled', 'sending', 'sent', 'failed', 'unknown', 'cancelled']
      else array['scheduled', 'started', 'failed', 'cancelled'] end)),
  constraint "a scheduled message or post in its final status has an end"
    check ((status in ('sent', 'failed', 'unknown', 'cancelled')) = (ended_at is not null)),
  constraint "a scheduled message has its content until it ends"
    check ((kind = 'message' and ended_at is null) = (message_encrypted is not null)),
  constraint "a scheduled post has its content until it ends"
    check ((kind = 'post' and ended_at is null) = (input is not null)),
  constraint "a started post has a container" check (status <> 'started' or container_public_id is not null)
);
create unique index "an idempotency key schedules one message or post of a channel"
  on scheduled (channel_id, kind, idempotency_key_hash) where idempotency_key_hash is not null;
create index scheduled_by_channel on scheduled (channel_id, kind, id);
create index scheduled_by_status on scheduled (channel_id, kind, status, id);
create index scheduled_by_workspace on scheduled (workspace_id, id);
create index scheduled_by_recipient on scheduled (recipient_hash, id) where recipient_hash is not null;
create index scheduled_by_creator on scheduled (created_by, kind, due_at) where status = 'scheduled';
create index scheduled_open on scheduled (act_at) where ended_at is null;
create index scheduled_failed on scheduled (kind, ended_at) where status in ('failed', 'unknown');
comment on table scheduled is
  'messages and posts that a client schedules. A row keeps no content once it has ended';
comment on column scheduled.due_at is 'when the client wants it to be sent or published';
comment on column scheduled.act_at is
  'when its workflow acts: due_at, later after a temporary refusal, when a claimed send counts as lost, or when a started container is looked at again; infinity if a started post has nothing left to do';
comment on column scheduled.created_by is 'public id of the credential that scheduled it';
comment on column scheduled.recipient_hash is
  'finds the messages to a person whose data is erased; the recipient is part of the encrypted content';
comment on column scheduled.other_recipient_hash is
  'of the second id, for a message to a phone number and a user id of one person';
comment on column scheduled.refusal_code is 'the error code of the refusal that ended the message';
comment on column scheduled.input is 'the request for the media container of a post';
comment on column scheduled.container_public_id is
  'the media container of the last start, without a reference, because both are deleted on their own';
