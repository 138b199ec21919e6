import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { isSeenAsSql } from '../ledger/destinations/kept-urls.ts';

export const WEBHOOK = 'webhook';

export const namedDestinationsSql = `(
  select public_id, channel_id, destination_id from subscriptions
  union all
  select public_id, channel_id, destination_id from listeners
)`;

/** Includes old URLs kept for waiting deliveries. Returns null if none of the destinations has a public id. */
export async function findNamedDestinations(
  db: Knex,
  destinations: readonly string[] | undefined,
): Promise<readonly number[] | null> {
  const named = destinations?.filter((one) => one !== WEBHOOK);
  if (named === undefined || named.length === 0) return null;
  const rows = await queryRows<{ id: number }>(
    db,
    `select dest.id from ${namedDestinationsSql} n
     join destinations dest on ${isSeenAsSql('dest', 'n.destination_id')}
     where n.public_id = any (cast(:named as text[]))`,
    { named },
  );
  return rows.map(({ id }) => id);
}
