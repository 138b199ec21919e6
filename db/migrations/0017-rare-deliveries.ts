import { concurrentIndex } from './concurrent-index.ts';

/**
 * Lists of troubled deliveries read this index. A delivery accepted on its first attempt never enters it, so the
 * healthy path costs no additional write.
 */
export const rareDeliveries = concurrentIndex({
  name: 'deliveries_in_trouble',
  on: "deliveries (channel_id, id) where status in ('retrying', 'exhausted', 'cancelled', 'skipped')",
});
