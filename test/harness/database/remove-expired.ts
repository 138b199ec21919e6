import type { Knex } from 'knex';
import type { RetentionTask } from '../../../contract/upkeep/retention.ts';
import { removeExpired } from '../../../db/upkeep/expiries.ts';
import { asProcess } from './database.ts';

/** Removes all expired rows of a task as a worker does, in batches of two. Returns how many. */
export async function removeAllExpired(
  db: Knex,
  task: RetentionTask,
  { cutoff }: { readonly cutoff: Date },
): Promise<number> {
  let position = 0;
  let count = 0;
  for (;;) {
    const removed = await asProcess(db, 'worker', (trx) =>
      removeExpired(trx, { task, position, cutoff, batchRows: 2 }),
    );
    count += removed.removedCount;
    ({ position } = removed);
    if (removed.isDone) return count;
  }
}
