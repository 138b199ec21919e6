import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { deleteOldEvents } from '../../../db/ledger/upkeep/delete-old-events.ts';
import { replayStage } from './replays.ts';
import { aLedgerDelivery, type LedgerDelivery } from '../deliveries/ledger.ts';

export const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

/** Deletes the old events of the whole ledger and returns how many there were. */
export async function sweepOldEvents(db: Knex, age: Omit<Parameters<typeof deleteOldEvents>[1], 'position'>) {
  let removed = 0;
  for (let position = 0, isDone = false; !isDone;) {
    const batch = await deleteOldEvents(db, { position, ...age });
    removed += batch.removedCount;
    ({ position, isDone } = batch);
  }
  return removed;
}

/** A ledger whose events are a month old, and the tables with rows about one of them. */
export async function oldEventsStage(t: ExecutionContext, createdAt: Date) {
  const replays = await replayStage(t);
  const { db, channel, destinationId, tenant } = replays;
  const old = (delivery: LedgerDelivery = {}) =>
    aLedgerDelivery(db, channel, { status: 'delivered', destinationId, createdAt, ...delivery });
  const left = async (): Promise<number[]> => await db('deliveries').orderBy('id').pluck('id');
  const attempt = (id: number) =>
    db('attempts').insert({ delivery_id: id, number: 1, started_at: createdAt, duration_ms: 1, outcome: 'rejected' });
  /** Adds a row to each table that depends on the delivery. */
  const depend = async (id: number, replayedAs = id): Promise<void> => {
    const place = { workspace_id: tenant.workspace.id, request_hash: Buffer.alloc(32) };
    await db('delivery_replays').insert({ source_delivery_id: id, delivery_id: replayedAs, ...place });
    await attempt(id);
    const hold = { destination_id: destinationId, conversation_key: 1, delivery_id: id };
    await db('conversation_holds').insert({ ...hold, until_at: createdAt });
  };
  const dependents = async (): Promise<unknown[]> => {
    const tables = ['events', 'deliveries', 'attempts', 'conversation_holds', 'delivery_replays'];
    return (await Promise.all(tables.map((table) => db(table)))).flat();
  };
  return { ...replays, old, left, attempt, depend, dependents };
}
