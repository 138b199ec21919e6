import type { Knex } from 'knex';

/** The keys are shown once, so only a hash is stored. */
const keys = `
create table staff_keys (
  id bigint generated always as identity primary key,
  public_id text not null unique constraint "a staff key id has its form" check (public_id ~ '^key_[A-Za-z0-9]{8}$'),
  user_id bigint not null references users,
  token_hash bytea not null unique constraint "a staff key's hash has 32 bytes" check (length(token_hash) = 32),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index staff_keys_by_user on staff_keys (user_id);
comment on table staff_keys is 'good only as long as the person behind one is staff';
`;

/** Rarely written: only for events of unknown channels. */
const unrouted = `
create index unrouted_events_by_resource on unrouted_events (resource_id, id);
`;

const audit = `
create index audit_entries_for_staff on audit_entries (id) where organization_id is null or actor_type = 'staff';
comment on index audit_entries_for_staff is 'what staff did anywhere, and what happened in no organization';
`;

export const staff: Knex.Migration = {
  async up(knex) {
    await knex.raw(keys);
    await knex.raw(unrouted);
    await knex.raw(audit);
  },
  async down(knex) {
    await knex.raw('drop index audit_entries_for_staff, unrouted_events_by_resource');
    await knex.schema.dropTable('staff_keys');
  },
};
