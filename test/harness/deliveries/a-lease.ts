import type { HotPool } from '../../../db/core/hot-pool.ts';
import { joinFleet, readFleet } from '../../../db/ledger/shards/fleet.ts';
import { acquireLeases, fencesOf, type HeldLease, renewLeases } from '../../../db/ledger/shards/shard-leases.ts';

/** Acquires a shard that is free. */
export async function aLease(pool: HotPool, shard: number, holder = 'host/1/a'): Promise<HeldLease> {
  await joinFleet(pool, { holder, roles: ['pump'] });
  const fences = await acquireLeases(pool, { shards: [shard], holder });
  const fence = fences.get(shard);
  if (fence === undefined) throw new Error(`Shard ${shard} is not free`);
  return { shard, fence };
}

/** Renews the leases of a worker, and returns their fences. Returns undefined if it is not in the fleet. */
export async function renewedFences(pool: HotPool, holder: string): Promise<ReadonlyMap<number, number> | undefined> {
  if (!(await renewLeases(pool, holder))) return undefined;
  const { leases } = await readFleet(pool, holder);
  return fencesOf(leases.filter((lease) => lease.holder === holder));
}
