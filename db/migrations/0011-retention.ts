import type { Knex } from 'knex';

const sweeps = `
create table retention_sweeps (
  task text primary key,
  ended_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on column retention_sweeps.ended_at is 'when all of it was last looked through';
`;

const invariants = `
create table invariant_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null unique,
  ended_at timestamptz not null,
  event_count integer not null,
  delivery_count integer not null,
  violations jsonb not null,
  created_at timestamptz not null default now(),
  constraint "a run of the invariants ends after it began" check (ended_at >= started_at)
);
comment on column invariant_runs.violations is 'by rule: how many rows break it, and the ids of a few';
`;

export const retention: Knex.Migration = {
  async up(knex) {
    await knex.raw(sweeps);
    await knex.raw(invariants);
  },
  async down(knex) {
    await knex.schema.dropTable('invariant_runs');
    await knex.schema.dropTable('retention_sweeps');
  },
};
