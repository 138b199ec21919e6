create table users (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a user id has its form" check (public_id ~ '^usr_[A-Za-z0-9]{8}$'),
  email text not null unique constraint "an email is stored in lower case" check (email = lower(email)),
  is_staff boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table users is 'people who sign in with a code that is mailed to them';

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  token_hash bytea not null unique
    constraint "a session token's hash has 32 bytes" check (length(token_hash) = 32),
  refresh_hash bytea unique
    constraint "a refresh token's hash has 32 bytes" check (length(refresh_hash) = 32),
  refresh_key_id text,
  user_agent text,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id) where revoked_at is null;
comment on table sessions is 'browsers and command lines in which a person has signed in';
comment on column sessions.refresh_key_id is 'the key of ENCRYPTION_KEYS that tagged the refresh token';

create table staff_keys (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a staff key id has its form" check (public_id ~ '^key_[A-Za-z0-9]{8}$'),
  user_id bigint not null references users,
  token_hash bytea not null unique
    constraint "a staff key's hash has 32 bytes" check (length(token_hash) = 32),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index staff_keys_by_user on staff_keys (user_id);
comment on table staff_keys is
  'valid only as long as the person behind one is staff. Shown once, so that only a hash is stored';
