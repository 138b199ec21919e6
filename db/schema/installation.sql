create table installation (
  id boolean primary key default true constraint "there is one installation" check (id),
  id_key bytea not null constraint "an id key has 48 bytes" check (length(id_key) = 48),
  token_salt bytea not null constraint "a token salt has 32 bytes" check (length(token_salt) = 32),
  server_history text,
  created_at timestamptz not null default now()
);
comment on table installation is 'one row: the keys of public ids and stored tokens';
comment on column installation.server_history is
  'identifier and timeline of the server that gave the last ids; another one skips ids first';
