import type { Knex } from 'knex';

/**
 * A credential that the platform refuses stops calls and nothing else: events arrive without it. A channel is
 * disconnected only if a person ends it. What arrived until it is connected again is sent on then.
 */
export const refusedCredentials: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table connection_credentials
        add column refused_at timestamptz,
        add column refused_reason text,
        add constraint "a refused credential says when and why" check ((refused_at is null) = (refused_reason is null))
          not valid;
      comment on column connection_credentials.refused_at is
        'since when the platform refuses calls; null: it took the last one, or was not called yet';
      create index connection_credentials_refused on connection_credentials (refused_at) where refused_at is not null;
      alter table channels add column kept_since timestamptz;
      comment on column channels.kept_since is
        'events that arrived since then, while it was disconnected, are to be sent on; null: none';
      create index channels_kept on channels (kept_since) where kept_since is not null;
    `);
    await knex.raw('alter table connection_credentials validate constraint "a refused credential says when and why"');
  },
  async down(knex) {
    await knex.raw(`
      drop index channels_kept;
      alter table channels drop column kept_since;
      drop index connection_credentials_refused;
      alter table connection_credentials drop column refused_at, drop column refused_reason;
    `);
  },
};
