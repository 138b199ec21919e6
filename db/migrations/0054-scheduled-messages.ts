import type { Knex } from 'knex';

/** Messages that a client schedules. A row keeps no content once its message has ended. */
export const scheduledMessages: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
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
        message_encrypted text,
        recipient_hash bytea constraint "the hash of a message's recipient has 32 bytes" check (length(recipient_hash) = 32),
        attempts integer not null default 0,
        platform_message_id text,
        idempotency_key_hash bytea constraint "the hash of a message's key has 32 bytes" check (length(idempotency_key_hash) = 32),
        request_hash bytea not null constraint "the hash of a message's request has 32 bytes" check (length(request_hash) = 32),
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
      create index scheduled_messages_by_workspace on scheduled_messages (workspace_id, id);
      create index scheduled_messages_by_recipient on scheduled_messages (recipient_hash, id) where recipient_hash is not null;
      create index scheduled_messages_open on scheduled_messages (next_start_at) where ended_at is null;
      create index scheduled_messages_ended on scheduled_messages (ended_at) where ended_at is not null;
      create index scheduled_messages_open_by_channel on scheduled_messages (channel_id) where ended_at is null;
      comment on column scheduled_messages.next_attempt_at is
        'when it is due: send_at, or later after a temporary refusal';
      comment on column scheduled_messages.next_start_at is
        'when the upkeep starts its workflow, a few seconds earlier; moved ahead while a run has it';
      comment on column scheduled_messages.recipient_hash is
        'finds the messages to a person whose data is erased; the recipient is part of the encrypted content';
      comment on column scheduled_messages.created_by is 'public id of the credential that scheduled it';
      comment on column scheduled_messages.sent_at is 'set by the claim before its only call; null again after a refusal';
    `);
  },
  async down(knex) {
    await knex.schema.dropTable('scheduled_messages');
  },
};
