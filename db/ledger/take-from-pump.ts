import type { Knex } from 'knex';
import { retryRaces } from '../core/retry-races.ts';

/**
 * Gives a delivery that the pump retries to a workflow, which the caller must start. Returns false if a workflow has it
 * already, or if it is not retrying. Adoption starts the workflow if the caller dies.
 */
export async function takeFromPump(db: Knex, id: number): Promise<boolean> {
  return await setPumpRetries(db, { id, from: true });
}

/** Returns a delivery to the pump after `takeFromPump`. */
export async function returnToPump(db: Knex, id: number): Promise<void> {
  await setPumpRetries(db, { id, from: false });
}

async function setPumpRetries(db: Knex, { id, from }: { id: number; from: boolean }): Promise<boolean> {
  const count = await retryRaces(async () =>
    db('deliveries').where({ id, status: 'retrying', pump_retries: from }).update({ pump_retries: !from }),
  );
  return count === 1;
}
