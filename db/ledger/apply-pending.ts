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
 * Does with what waits for a destination what was asked for, before its URL is edited. What an earlier edit has kept for
 * a URL still older stays kept. To be called within the transaction that edits the URL.
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
 * Hands what waits to a destination of its own that has the old URL: it goes on there in its order, with its attempts and
 * its workflows, and has a circuit of its own, so that neither URL suffers from how the other does.
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
