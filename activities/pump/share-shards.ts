import type { FleetState } from '../../db/ledger/shards/fleet.ts';

export interface Share {
  /** Free shards to acquire. */
  readonly take: readonly number[];
  /** How many shards to hand over to others. */
  readonly surplus: number;
}

/**
 * Decides which shards a worker takes and how many it gives up. All workers compute the same targets from the same
 * rows: with n shards and w live workers, n mod w of them serve one shard more than the others. Those who hold most
 * keep most, so that few shards move. Each free shard is assigned to one worker, so that workers do not compete.
 */
export function shareShards({ shardCount, live, leases }: FleetState, holder: string): Share {
  if (!live.includes(holder)) return { take: [], surplus: 0 };
  const held = new Map(live.map((each) => [each, 0]));
  for (const lease of leases) {
    const count = held.get(lease.holder);
    if (count !== undefined) held.set(lease.holder, count + 1);
  }
  const ranked = [...held].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  const room = ranked.map(([each, count], rank) => ({ each, room: targetOf(rank, { shardCount, live }) - count }));
  const busy = new Set(leases.map(({ shard }) => shard));
  const free = Array.from({ length: shardCount }, (_, shard) => shard).filter((shard) => !busy.has(shard));
  const take: number[] = [];
  for (const { each, room: count } of room) {
    const assigned = free.splice(0, Math.max(count, 0));
    if (each === holder) take.push(...assigned);
  }
  const own = room.find(({ each }) => each === holder)!;
  return { take, surplus: Math.max(-own.room, 0) };
}

function targetOf(rank: number, { shardCount, live }: Pick<FleetState, 'shardCount' | 'live'>): number {
  return Math.floor(shardCount / live.length) + (rank < shardCount % live.length ? 1 : 0);
}
