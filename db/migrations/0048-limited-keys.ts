import type { Knex } from 'knex';

/** Limited keys have a lookup hash of another kind, so that releases that ignore the lists refuse them. */
export const limitedKeys: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table api_keys
        add column workspace_ids bigint[]
          constraint "a limited key names 1 to 50 workspaces" check (cardinality(workspace_ids) between 1 and 50),
        add column allowed_cidrs text[]
          constraint "a limited key names 1 to 50 address blocks" check (cardinality(allowed_cidrs) between 1 and 50),
        add column owned_by_organization boolean not null default false;
      comment on column api_keys.workspace_ids is 'the only workspaces that the key can reach; null: all of the organization';
      comment on column api_keys.allowed_cidrs is 'the address blocks of its callers; null: any address';
      comment on column api_keys.owned_by_organization is
        'whether a key with scopes outlives the membership of the person who created it';
    `);
  },
  async down(knex) {
    await knex.raw(`
      alter table api_keys
        drop column workspace_ids, drop column allowed_cidrs, drop column owned_by_organization`);
  },
};
