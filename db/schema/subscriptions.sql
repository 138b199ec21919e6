create table subscriptions (
  id bigint generated always as identity primary key,
  public_id text not null unique
    constraint "a subscription id has its form" check (public_id ~ '^sub_[A-Za-z0-9]{8}$'),
  channel_id bigint not null references channels,
  destination_id bigint not null unique references destinations,
  revision integer not null default 0,
  created_at timestamptz not null default now()
);
create index subscriptions_by_channel on subscriptions (channel_id, id);
comment on table subscriptions is 'further receivers of some event types of a channel';
comment on column subscriptions.revision is
  'incremented when an edit begins: an edit commits only at the revision that it began with';
