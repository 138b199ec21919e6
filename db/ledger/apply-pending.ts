import type { Knex } from 'knex';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { notifyChanged } from '../core/notify-changed.ts';
import { insertKeptDestination, type LockedDestination, lockDestinations } from './destinations/kept-destinations.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import { type EndedDeliveries, endWaitingDeliveries } from './end-waiting-deliveries.ts';

export interface ApplyPending {
  readonly channelId: number;
  readonly destinationId: number;
  readonly pending: PendingChoice;
  /** Optional. Who edits the URL. Default: the service itself. */
  readonly actor?: AuditActor;
}

/** Must run in the transaction that edits the URL. */
export async function applyPending(trx: Knex, { pending, actor, ...which }: ApplyPending): Promise<EndedDeliveries> {
  await notifyChanged(trx, [which.destinationId]);
  switch (pending) {
    case 'follow':
      return { retrying: [] };
    case 'cancel':
      return await endWaitingDeliveries(trx, {
        ...which,
        keptToo: false,
        end: { status: 'cancelled', reason: 'url_changed', ...(actor && { actor }) },
      });
    case 'keep':
      await keepWaiting(trx, which);
      return { retrying: [] };
  }
}

const pendingSql = "shard = any (:shards::smallint[]) and status = 'pending'";

/**
 * Moves waiting deliveries to a new destination with the old URL and a separate circuit. Reads the pending ones twice,
 * because a retry may become pending before the retrying ones are read. Orders a release of what is parked, because
 * earlier orders name the other destination.
 */
async function keepWaiting(
  trx: Knex,
  { channelId, destinationId }: Omit<ApplyPending, 'pending' | 'actor'>,
): Promise<void> {
  const [destination] = await lockDestinations(trx, { channelId, destinationId, keptToo: false });
  if (!destination || !(await hasWaiting(trx, destination))) return;
  const keptId = await insertKeptDestination(trx, destinationId);
  for (const which of [pendingSql, "status = 'retrying'", pendingSql]) {
    await trx.raw(`update deliveries set destination_id = :keptId where ${which} and destination_id = :destinationId`, {
      keptId,
      destinationId,
      shards: destination.shards,
    });
  }
  await trx('conversation_holds').where({ destination_id: destinationId }).update({ destination_id: keptId });
  await trx('conversation_releases').insert({ destination_id: keptId });
}

async function hasWaiting(trx: Knex, { id, shards }: LockedDestination): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `(select from deliveries where shard = any (:shards::smallint[]) and destination_id = :id and status = 'pending' limit 1)
     union all (select from deliveries where destination_id = :id and status = 'retrying' limit 1)`,
    { id, shards },
  );
  return rows.length > 0;
}
