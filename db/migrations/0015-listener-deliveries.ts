import { concurrentIndex } from './concurrent-index.ts';

/** The order in which a listener's reader comes to what waits for it (docs/adr/0018). */
export const listenerDeliveries = concurrentIndex({
  name: 'deliveries_for_listeners',
  on: "deliveries (destination_id, xid, id) where shard = -1 and status = 'pending'",
});
