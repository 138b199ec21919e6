import type { Knex } from 'knex';

const invitations = `
alter table invitations
  add column public_id text not null unique
    constraint "an invitation id has its form" check (public_id ~ '^inv_[A-Za-z0-9]{8}$'),
  add column token_encrypted text;
comment on column invitations.token_encrypted is 'sealed until the mail that carries it has gone out, then null';
`;

const requesters = `
alter table webhook_candidates
  add column requested_by_type text,
  add column requested_by text,
  add column request_id text,
  add column client_address text,
  add constraint "a requester has a type and an id" check ((requested_by_type is null) = (requested_by is null));
`;

const moves = `
create table channel_moves (
  channel_id bigint not null references channels,
  from_workspace_id bigint not null references workspaces,
  created_at timestamptz not null default now(),
  primary key (from_workspace_id, channel_id)
);
create index channel_moves_by_channel on channel_moves (channel_id);
comment on table channel_moves is 'workspaces that a channel has left, where its earlier deliveries stay';
`;

export const invitationIds: Knex.Migration = {
  async up(knex) {
    await knex.raw(invitations);
    await knex.raw(requesters);
    await knex.raw(moves);
  },
  async down(knex) {
    await knex.schema.dropTable('channel_moves');
    await knex.schema.alterTable('webhook_candidates', (table) =>
      table.dropColumns('requested_by_type', 'requested_by', 'request_id', 'client_address'),
    );
    await knex.schema.alterTable('invitations', (table) => table.dropColumns('public_id', 'token_encrypted'));
  },
};
