import { concurrentIndex } from './concurrent-index.ts';

/** A listener reads its pending deliveries in this order (docs/adr/0018). */
export const listenerDeliveries = concurrentIndex({
  name: 'deliveries_for_listeners',
  on: "deliveries (destination_id, xid, id) where shard = -1 and status = 'pending'",
});
