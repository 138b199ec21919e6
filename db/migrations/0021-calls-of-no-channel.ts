import type { Knex } from 'knex';

/**
 * Some calls belong to no single channel: those while an account is being connected, and those for a credential of
 * several channels.
 */
export const callsOfNoChannel: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table outbound_calls
        alter column channel_id drop not null,
        alter column workspace_id drop not null,
        add constraint "a call for a channel is for its workspace"
          check (channel_id is null or workspace_id is not null) not valid;
      comment on column outbound_calls.channel_id is 'null: for no channel, or for several at once';
      comment on column outbound_calls.workspace_id is 'null: while an account is connected that gets a workspace of its own';
      comment on column outbound_calls.caller is
        'the public id of the credential: key_, ac_, usr_, the beginning of a channel token, a workflow id, or the onboarding link (ol_)';
    `);
  },
  async down(knex) {
    await knex.raw(`
      delete from outbound_calls where channel_id is null or workspace_id is null;
      alter table outbound_calls
        drop constraint "a call for a channel is for its workspace",
        alter column channel_id set not null,
        alter column workspace_id set not null;
    `);
  },
};
