import type { Knex } from 'knex';

/** Never contains a body, a query or a credential. */
const calls = `
create table outbound_calls (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  workspace_id bigint not null references workspaces,
  via text not null constraint "a call goes by the gateway, the API or a workflow" check (via in ('gateway', 'api', 'workflow')),
  caller text not null,
  operation text,
  method text not null,
  path text not null constraint "a path is cut at 500 characters" check (length(path) <= 500),
  status smallint,
  error text,
  duration_ms integer not null constraint "a call takes no negative time" check (duration_ms >= 0),
  request_id text not null,
  platform_request_id text,
  started_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index outbound_calls_by_channel on outbound_calls (channel_id, id);
create index outbound_calls_by_request on outbound_calls (request_id);
create index outbound_calls_by_workspace on outbound_calls (workspace_id);
comment on column outbound_calls.caller is 'the public id of the credential: key_, ac_, usr_, the beginning of a channel token, or a workflow id';
comment on column outbound_calls.status is 'null: no answer came';
`;

const idempotentCalls = `
create table idempotent_calls (
  id bigint generated always as identity primary key,
  channel_id bigint not null references channels,
  operation text not null,
  key_hash bytea not null constraint "a key's hash has 32 bytes" check (length(key_hash) = 32),
  request_hash bytea not null constraint "a call's hash has 32 bytes" check (length(request_hash) = 32),
  answer jsonb,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "a key makes one call of an operation" unique (channel_id, operation, key_hash),
  constraint "an answer has its time" check ((answer is null) = (answered_at is null))
);
comment on column idempotent_calls.answer is 'null: under way, or its outcome is not known; it is never made again';
`;

export const outboundCalls: Knex.Migration = {
  async up(knex) {
    await knex.raw(calls);
    await knex.raw(idempotentCalls);
  },
  async down(knex) {
    await knex.schema.dropTable('idempotent_calls');
    await knex.schema.dropTable('outbound_calls');
  },
};
