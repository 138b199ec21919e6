create table secret_reveals (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  channel_id bigint not null references channels,
  kind text not null constraint "a revealed secret has a known kind"
    check (kind in ('token', 'webhook_secret', 'verify_token')),
  secret_number bigint not null,
  user_id bigint not null references users,
  api_key_id bigint references api_keys,
  first_revealed_at timestamptz not null default now(),
  last_revealed_at timestamptz not null default now(),
  reveal_count integer not null default 1
    constraint "a reveal happened at least once" check (reveal_count > 0)
);
create unique index "a reader of a secret has one record of it"
  on secret_reveals (channel_id, kind, secret_number, user_id, coalesce(api_key_id, 0));
create index secret_reveals_by_user on secret_reveals (organization_id, user_id, id);
create index secret_reveals_by_person on secret_reveals (user_id);
create index secret_reveals_by_key on secret_reveals (api_key_id, id) where api_key_id is not null;
comment on table secret_reveals is
  'secrets of channels that the API has shown, by reader; updated in place, so that it stays bounded';
comment on column secret_reveals.secret_number is
  'the row in channel_tokens or webhook_secrets, or webhook_configs.verify_token_version';
comment on column secret_reveals.user_id is 'the person behind the credential, who created the key if it is one';
comment on column secret_reveals.api_key_id is 'null: in a session';
