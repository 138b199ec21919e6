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
comment on table listeners is 'destinations that are read instead of posted to (docs/adr/0015)';
comment on column listeners.last_read_at is 'to the minute, so that a busy reader does not write with every read';
comment on column listeners.idempotency_key_hash is 'null once the listener is deleted, which makes the key free';
