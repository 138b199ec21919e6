import type { HotPool } from '../../db/core/hot-pool.ts';

const waitingSql = `select 1 from deliveries where status = 'pending' and destination_id <> $1 limit 1`;

/** Returns whether a delivery waits for its first outcome. */
export async function hasWaitingDeliveries(pool: HotPool, exceptDestinationId = 0): Promise<boolean> {
  return (await pool.query(waitingSql, [exceptDestinationId])).rows.length > 0;
}
