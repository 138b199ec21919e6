import { runPatiently, type UnwrappedMigration } from './concurrent-index.ts';

const drop = 'drop index concurrently if exists audit_refused_addresses';

/** Bounds the entries for refused addresses, in any number of processes. */
export const refusedAddresses: UnwrappedMigration = {
  config: { transaction: false },
  up: (knex) =>
    runPatiently(knex, [
      drop,
      `create unique index concurrently audit_refused_addresses
         on audit_entries (actor_id, reason, date_trunc('hour', created_at at time zone 'UTC'))
         where action = 'apiKey.addressRefused'`,
    ]),
  down: (knex) => runPatiently(knex, [drop]),
};
