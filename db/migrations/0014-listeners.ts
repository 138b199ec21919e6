import type { Knex } from 'knex';

/** Listeners are read instead of posted to (docs/adr/0018). */
const destinations = `
alter table destinations drop constraint "a subscription lists its events, a webhook takes all";
alter table destinations add constraint "a subscription lists its events, a webhook takes all" check (
  case type when 'subscription' then event_types is not null when 'webhook' then event_types is null else true end);
alter table destinations add constraint "no pump serves a listener's shard" check ((type = 'listener') = (shard < 0));
comment on column destinations.shard is
  'hash of the id mod installation.delivery_shards, fixed at creation; -1 of a listener, which no pump serves';
`;

const listeners = `
create table listeners (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a listener id has its form" check (public_id ~ '^lst_[A-Za-z0-9]{8}$'),
  channel_id bigint not null references channels,
  destination_id bigint not null unique references destinations,
  last_read_at timestamptz,
  idempotency_key_hash bytea
    constraint "the hash of an idempotency key has 32 bytes" check (length(idempotency_key_hash) = 32),
  request_hash bytea constraint "a request's hash has 32 bytes" check (length(request_hash) = 32),
  created_at timestamptz not null default now()
);
create index listeners_by_channel on listeners (channel_id, id);
create unique index "a key makes one listener of a channel"
  on listeners (channel_id, idempotency_key_hash) where idempotency_key_hash is not null;
comment on column listeners.last_read_at is 'to the minute, so that a busy reader does not write with every read';
comment on column listeners.idempotency_key_hash is 'null once it is deleted: the key is free then';
`;

export const listenersToRead: Knex.Migration = {
  async up(knex) {
    await knex.raw(destinations);
    await knex.raw(listeners);
  },
  async down(knex) {
    await knex.raw(`
      drop table listeners;
      update deliveries set status = 'cancelled', xid = pg_current_xact_id() where shard = -1 and status = 'pending';
      update deliveries set destination_id = null where shard = -1;
      update deliveries set shard = 0 where shard = -1;
      delete from destinations where type = 'listener';
      alter table destinations drop constraint "no pump serves a listener's shard";
      alter table destinations drop constraint "a subscription lists its events, a webhook takes all";
      alter table destinations add constraint "a subscription lists its events, a webhook takes all"
        check ((type = 'subscription') = (event_types is not null));
    `);
  },
};
