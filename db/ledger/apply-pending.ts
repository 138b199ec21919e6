import type { Knex } from 'knex';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { notifyChanged } from '../core/notify-changed.ts';
import { insertKeptDestination, lockDestinations } from './destinations/kept-destinations.ts';
import { type EndedDeliveries, endWaitingDeliveries } from './end-waiting-deliveries.ts';

export interface ApplyPending {
  readonly channelId: number;
  readonly destinationId: number;
  readonly pending: PendingChoice;
}

/**
 * Lets pending deliveries follow, cancels them or keeps them at the old URL. Deliveries that an earlier edit kept for
 * an older URL are unaffected. Callers must run it in the transaction that edits the URL.
 */
export async function applyPending(trx: Knex, { pending, ...which }: ApplyPending): Promise<EndedDeliveries> {
  await notifyChanged(trx, [which.destinationId]);
  switch (pending) {
    case 'follow':
      return { retrying: [] };
    case 'cancel':
      return await endWaitingDeliveries(trx, { ...which, keptToo: false, end: { status: 'cancelled' } });
    case 'keep':
      await keepWaiting(trx, which);
      return { retrying: [] };
  }
}

/**
 * Moves pending and retrying deliveries to a new destination that has the old URL. They keep their order, attempts and
 * workflows. The separate circuit keeps failures of one URL from affecting the other.
 */
async function keepWaiting(trx: Knex, { channelId, destinationId }: Omit<ApplyPending, 'pending'>): Promise<void> {
  const [destination] = await lockDestinations(trx, { channelId, destinationId, keptToo: false });
  if (!destination || !(await hasWaiting(trx, destination))) return;
  const keptId = await insertKeptDestination(trx, destinationId);
  for (const which of ["shard = :shard and status = 'pending'", "status = 'retrying'"]) {
    await trx.raw(`update deliveries set destination_id = :keptId where ${which} and destination_id = :destinationId`, {
      keptId,
      destinationId,
      shard: destination.shard,
    });
  }
  await trx('conversation_holds').where({ destination_id: destinationId }).update({ destination_id: keptId });
}

async function hasWaiting(trx: Knex, { id, shard }: { id: number; shard: number }): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `(select from deliveries where shard = :shard and destination_id = :id and status = 'pending' limit 1)
     union all (select from deliveries where destination_id = :id and status = 'retrying' limit 1)`,
    { id, shard },
  );
  return rows.length > 0;
}
