import type { Knex } from 'knex';

const developers = `
alter table workspace_members
  drop constraint "a workspace member is admin or member",
  add constraint "a workspace member has a known role" check (role in ('member', 'developer', 'admin'));
alter table invitations
  drop constraint "one is invited to a workspace as admin or member",
  add constraint "an invitation has a known workspace role" check (workspace_role in ('member', 'developer', 'admin'));
`;

const heldTokens = `
alter table channel_tokens
  add column api_key_id bigint references api_keys,
  add column scopes text[],
  add constraint "a token is limited to scopes if and only if a limited key holds it"
    check ((api_key_id is null) = (scopes is null));
drop index "a channel has one current token";
create unique index "a holder has one current token of a channel"
  on channel_tokens (channel_id, coalesce(api_key_id, 0)) where expires_at is null and revoked_at is null;
create index channel_tokens_by_key on channel_tokens (api_key_id) where api_key_id is not null;
comment on column channel_tokens.api_key_id is 'the limited key that holds it; null: the token that people and full keys share';
comment on column channel_tokens.scopes is 'what the gateway passes on for it; null: everything';

alter table channel_token_rotations add column api_key_id bigint references api_keys;
create index channel_token_rotations_by_key on channel_token_rotations (api_key_id) where api_key_id is not null;
comment on column channel_token_rotations.api_key_id is 'the limited key whose own token is rotated; null: the shared one';
`;

const verifyTokenVersions = `
alter table webhook_configs add column verify_token_version integer not null default 1;
comment on column webhook_configs.verify_token_version is 'raised whenever another verify token takes the place of the present one';
alter table webhook_candidates add column keeps_verify_token boolean not null default false;
`;

const reveals = `
create table secret_reveals (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  channel_id bigint not null references channels,
  kind text not null constraint "a revealed secret has a known kind" check (kind in ('token', 'webhook_secret', 'verify_token')),
  secret_number bigint not null,
  user_id bigint not null references users,
  api_key_id bigint references api_keys,
  first_revealed_at timestamptz not null default now(),
  last_revealed_at timestamptz not null default now(),
  reveal_count integer not null default 1 constraint "a reveal happened at least once" check (reveal_count > 0)
);
create unique index "a reader of a secret has one record of it"
  on secret_reveals (channel_id, kind, secret_number, user_id, coalesce(api_key_id, 0));
create index secret_reveals_by_user on secret_reveals (organization_id, user_id, id);
create index secret_reveals_by_person on secret_reveals (user_id);
create index secret_reveals_by_key on secret_reveals (api_key_id, id) where api_key_id is not null;
comment on table secret_reveals is 'secrets of channels that the API has shown, by reader; updated in place, so that it stays bounded';
comment on column secret_reveals.secret_number is 'the row in channel_tokens or webhook_secrets, or webhook_configs.verify_token_version';
comment on column secret_reveals.user_id is 'the person behind the credential, who made the key if it is one';
comment on column secret_reveals.api_key_id is 'null: in a session';
`;

export const secretReveals: Knex.Migration = {
  async up(knex) {
    await knex.raw(developers);
    await knex.raw(heldTokens);
    await knex.raw(verifyTokenVersions);
    await knex.raw(reveals);
  },
  async down(knex) {
    await knex.schema.dropTable('secret_reveals');
    await knex.schema.alterTable('webhook_configs', (table) => table.dropColumn('verify_token_version'));
    await knex.schema.alterTable('webhook_candidates', (table) => table.dropColumn('keeps_verify_token'));
    await knex.raw(`
      delete from channel_token_rotations where api_key_id is not null;
      alter table channel_token_rotations drop column api_key_id;
      delete from channel_tokens where api_key_id is not null;
      drop index "a holder has one current token of a channel";
      alter table channel_tokens
        drop constraint "a token is limited to scopes if and only if a limited key holds it",
        drop column api_key_id, drop column scopes;
      create unique index "a channel has one current token"
        on channel_tokens (channel_id) where expires_at is null and revoked_at is null;
      update workspace_members set role = 'member' where role = 'developer';
      alter table workspace_members
        drop constraint "a workspace member has a known role",
        add constraint "a workspace member is admin or member" check (role in ('admin', 'member'));
      update invitations set workspace_role = 'member' where workspace_role = 'developer';
      alter table invitations
        drop constraint "an invitation has a known workspace role",
        add constraint "one is invited to a workspace as admin or member" check (workspace_role in ('admin', 'member'));
    `);
  },
};
