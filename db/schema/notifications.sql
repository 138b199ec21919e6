create table notifications (
  id bigint generated always as identity primary key,
  public_id text not null unique
    constraint "a notification id has its form" check (public_id ~ '^(alc|ntc)_[A-Za-z0-9]{8}$'),
  type text not null
    constraint "a notification has a known type" check (type in (
      'alert.opened', 'alert.resolved', 'alert.test', 'channel.connected', 'channel.reconnected')),
  alert_webhook_id bigint references alert_webhooks,
  digest_id bigint references alert_digests on delete cascade,
  min_severity text,
  kinds text[],
  onboarding_link_id bigint references onboarding_links,
  channel_id bigint references channels,
  external_id text,
  attempt_count int not null default 0,
  last_attempt_at timestamptz,
  last_status int,
  last_error text,
  outcome text
    constraint "a notification ends in a known way" check (outcome in ('delivered', 'failed', 'skipped')),
  created_at timestamptz not null default now(),
  constraint "a notification is for a webhook or for a link" check (
    (alert_webhook_id is not null) = (type like 'alert.%')
    and (onboarding_link_id is not null) = (type like 'channel.%')
    and (channel_id is not null) = (type like 'channel.%')),
  constraint "only alerts have a digest" check ((digest_id is not null) = (type in ('alert.opened', 'alert.resolved'))),
  constraint "a digest makes one call of a type" unique (digest_id, alert_webhook_id, type)
);
create index notifications_open on notifications (created_at) where outcome is null;
create index notifications_by_webhook on notifications (alert_webhook_id, last_attempt_at)
  where alert_webhook_id is not null;
create index notifications_by_link on notifications (onboarding_link_id, id) where onboarding_link_id is not null;
create index notifications_by_channel on notifications (channel_id) where channel_id is not null;
comment on table notifications is
  'signed calls that are no deliveries: to alert webhooks, at most one of each type for a digest, and to the owners of links through which a channel was connected';
comment on column notifications.min_severity is 'what the webhook selected when the call was stored';
comment on column notifications.kinds is 'what the webhook selected when the call was stored; null: all kinds';
comment on column notifications.external_id is 'the external id of the link when the channel was connected';
comment on column notifications.last_error is 'a code of the guarded client; null after a response';
