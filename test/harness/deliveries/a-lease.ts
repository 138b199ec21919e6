import type { HotPool } from '../../../db/core/hot-pool.ts';
import { joinFleet } from '../../../db/ledger/shards/fleet.ts';
import { acquireLeases, type HeldLease } from '../../../db/ledger/shards/shard-leases.ts';

/** Acquires a shard that is free. */
export async function aLease(pool: HotPool, shard: number, holder = 'host/1/a'): Promise<HeldLease> {
  await joinFleet(pool, { holder, roles: ['pump'] });
  const fences = await acquireLeases(pool, { shards: [shard], holder });
  const fence = fences.get(shard);
  if (fence === undefined) throw new Error(`Shard ${shard} is not free`);
  return { shard, fence };
}
