import { concurrentIndex } from './concurrent-index.ts';

/**
 * What a list of deliveries in trouble reads. A delivery that is accepted at once is never in it: the healthy path writes
 * nothing more.
 */
export const rareDeliveries = concurrentIndex({
  name: 'deliveries_in_trouble',
  on: "deliveries (channel_id, id) where status in ('retrying', 'exhausted', 'cancelled', 'skipped')",
});
