import type { Knex } from 'knex';
import type { ErasedSlice } from './erase-rows.ts';
import type { OpenErasure } from './next-slice.ts';
import { type OpenBody, readUnroutedItems } from './unrouted-items.ts';

/**
 * Deletes items that came while their account was not connected, if a channel of the scope has or had the account. An
 * event that was accepted from an item needs nothing: the item has lost its body.
 */
export async function eraseUnroutedEvents(trx: Knex, erasure: OpenErasure, open: OpenBody): Promise<ErasedSlice> {
  if (erasure.kind === 'event') return { erased: {}, next: undefined };
  const { items, next } = await readUnroutedItems(trx, { scope: erasure, after: erasure.atId, open });
  const ids = items.map(({ id }) => id);
  await trx.raw('delete from unrouted_events where id = any (cast(:ids as bigint[]))', { ids });
  return {
    erased: { unroutedEvents: ids.length },
    next: next === undefined ? undefined : { atChannelId: 0, atId: next },
  };
}
