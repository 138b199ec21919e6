import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';

/** A table follows those that it references. */
const nouns = [
  ...['installation', 'ledger', 'shards', 'users', 'organizations', 'people', 'channels', 'destinations', 'webhooks'],
  ...[
    'subscriptions',
    'listeners',
    'replays',
    'onboarding',
    'containers',
    'operations',
    'scheduled',
    'reveals',
    'audit',
    'alerts',
  ],
  ...['notifications', 'usage', 'erasures', 'upkeep'],
];

/** The schema of `db/schema/`. Installations have it, so that a change is a migration of its own. */
export const release1: Knex.Migration = {
  async up(knex) {
    for (const noun of nouns) {
      await knex.raw(readFileSync(new URL(`../schema/${noun}.sql`, import.meta.url), 'utf8'));
    }
  },
};
