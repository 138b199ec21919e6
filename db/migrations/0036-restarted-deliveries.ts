import type { Knex } from 'knex';
import { concurrentIndex, type UnwrappedMigration } from './concurrent-index.ts';

/** An index of the parent cannot be built concurrently. */
const leavesSql = `
select relid::text as name from pg_partition_tree('deliveries')
where isleaf and relid::text not in ('deliveries_waiting', 'deliveries_parked')`;

async function indexesOf(knex: Knex): Promise<UnwrappedMigration[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(leavesSql);
  return rows.map(({ name }) =>
    concurrentIndex({ name: `${name}_restarted`, on: `${name} (restarted_at) where restarted_at is not null` }),
  );
}

/** Finds the deliveries that retention keeps in an old period. Few deliveries are restarted. */
export const restartedDeliveries = {
  config: { transaction: false },
  async up(knex: Knex) {
    for (const index of await indexesOf(knex)) await index.up(knex);
  },
  async down(knex: Knex) {
    for (const index of await indexesOf(knex)) await index.down(knex);
  },
};
