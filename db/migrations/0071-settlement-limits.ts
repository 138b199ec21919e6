import type { Knex } from 'knex';

/**
 * Numbers that grow or decay, in types whose limits they never reach, and since when a destination's attempts are not
 * recorded. Rewriting 100,000 rows of `destinations` took half a second.
 */
const changes = [
  `alter table destinations
     alter column recent_accepted type double precision,
     alter column recent_failed type double precision,
     add column not_settling_since timestamptz,
     add column not_settling_at timestamptz`,
  `comment on column destinations.not_settling_since is
     'when the ledger began to refuse attempts of this destination; see db/ledger/destinations/not-settling.ts'`,
  `comment on column destinations.not_settling_at is 'when it last refused one'`,
  // Partial, because nearly all rows are null.
  `create index destinations_not_settling on destinations (not_settling_at) where not_settling_at is not null`,
  'alter table invariant_runs alter column event_count type bigint, alter column delivery_count type bigint',
];

export const settlementLimits: Knex.Migration = {
  async up(knex) {
    for (const change of changes) await knex.raw(change);
  },
  async down(knex) {
    await knex.raw(`alter table destinations
      alter column recent_accepted type real using round(recent_accepted::numeric, 6)::real,
      alter column recent_failed type real using round(recent_failed::numeric, 6)::real,
      drop column not_settling_since, drop column not_settling_at`);
    await knex.raw(
      'alter table invariant_runs alter column event_count type integer, alter column delivery_count type integer',
    );
  },
};
