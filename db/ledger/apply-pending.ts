import type { Knex } from 'knex';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { notifyChanged } from '../core/notify-changed.ts';
import { deleteDestination } from './destinations/destinations.ts';
import { replaceDestination } from './destinations/replace-destination.ts';
import { hasWaitingSql } from './shards/move-destinations.ts';

export interface ApplyPending {
  readonly destinationId: number;
  readonly pending: PendingChoice;
}

/**
 * Must run in the transaction that edits the URL. Returns the destination that takes the new URL, to which the webhook or
 * the subscription must refer: another one if deliveries wait and do not follow to the new URL. With `cancel`, the
 * caller ends them after the commit.
 */
export async function applyPending(trx: Knex, { destinationId, pending }: ApplyPending): Promise<number> {
  await notifyChanged(trx, [destinationId]);
  if (pending === 'follow' || !(await hasWaiting(trx, destinationId))) return destinationId;
  const id = await replaceDestination(trx, destinationId);
  if (pending === 'cancel') await deleteDestination(trx, destinationId);
  return id;
}

async function hasWaiting(trx: Knex, id: number): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { isWaiting: boolean }[] }>(`select ${hasWaitingSql(':id')} as "isWaiting"`, {
    id,
  });
  return rows[0]?.isWaiting === true;
}
