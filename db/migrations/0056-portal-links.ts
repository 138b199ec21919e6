import type { UnwrappedMigration } from './concurrent-index.ts';

/** Without a transaction, so that the validation does not keep the lock of the new check. Repeatable. */
const statements = [
  `create table if not exists organization_branding (
    organization_id bigint primary key references organizations (id),
    display_name text constraint "a display name has 1 to 200 characters" check (length(display_name) between 1 and 200),
    logo_url text,
    color text constraint "a color is #rrggbb" check (color ~ '^#[0-9a-f]{6}$'),
    portal_frame_ancestors text[] not null default '{}'
      constraint "at most 10 origins frame the portal" check (cardinality(portal_frame_ancestors) <= 10),
    updated_at timestamptz not null default now()
  )`,
  `create table if not exists portal_links (
    id bigint generated always as identity primary key,
    public_id text not null unique,
    organization_id bigint not null references organizations (id),
    workspace_id bigint not null references workspaces (id),
    channel_ids bigint[],
    name text,
    rights text[] not null,
    secret_hash bytea not null unique,
    created_by bigint not null references users (id),
    api_key_id bigint references api_keys (id),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    last_used_at timestamptz,
    use_count int not null default 0,
    constraint "a portal link id has its form" check (public_id ~ '^ptl_[A-Za-z0-9]{8}$'),
    constraint "a portal link has rights" check (cardinality(rights) > 0),
    constraint "a limited portal link names 1 to 100 channels" check (cardinality(channel_ids) between 1 and 100),
    constraint "a portal link lives at most a day" check (expires_at <= created_at + interval '1 day')
  )`,
  `comment on column portal_links.channel_ids is 'the only channels that the link shows; null: all of the workspace'`,
  `comment on column portal_links.api_key_id is 'the key that created the link, with which the link ends; null: a person'`,
  'create index if not exists portal_links_by_workspace on portal_links (workspace_id, id)',
  'create index if not exists portal_links_by_organization on portal_links (organization_id, created_at)',
  'create index if not exists portal_links_by_creator on portal_links (created_by)',
  'create index if not exists portal_links_by_key on portal_links (api_key_id)',
  'create index if not exists portal_links_by_end on portal_links (expires_at)',
  `alter table audit_entries drop constraint if exists "an actor has a known type",
    add constraint "an actor has a known type"
      check (actor_type in ('user', 'api_key', 'agent', 'staff', 'portal', 'system')) not valid`,
  'alter table audit_entries validate constraint "an actor has a known type"',
];

export const portalLinks: UnwrappedMigration = {
  config: { transaction: false },
  async up(knex) {
    for (const statement of statements) await knex.raw(statement);
  },
  async down(knex) {
    await knex.raw('drop table portal_links');
    await knex.raw('drop table organization_branding');
    await knex.raw(`
      alter table audit_entries drop constraint "an actor has a known type",
        add constraint "an actor has a known type"
          check (actor_type in ('user', 'api_key', 'agent', 'staff', 'system')) not valid`);
  },
};
