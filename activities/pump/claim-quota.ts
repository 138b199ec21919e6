import { firstAllowance, type DestinationQueue } from './destination-queue.ts';

/**
 * Decides how many rows a destination may hold: what it has in flight, what it settles while more are claimed, and
 * rows that wait behind their own conversation, so that a busy conversation does not hide others. Once the shard holds
 * three quarters of its rows, no destination gets more than an equal share, and new destinations get a few each.
 */
export interface ClaimQuota {
  of(queue: DestinationQueue<unknown>): number;
  /** For a destination that holds nothing. */
  ofNewDestination(): number;
  claimBegins(): void;
  claimEnds(): void;
}

export interface ClaimQuotaOptions {
  readonly destinationInFlight: number;
  readonly destinationHeld: number;
  readonly shardHeld: number;
  readonly now: () => number;
  readonly heldCount: () => number;
  readonly queueCount: () => number;
}

/** Rows settled in this time are held in advance, or in four claims if these take longer. */
const MIN_AHEAD_MS = 200;
const CLAIMS_AHEAD = 4;
/** So that a slow destination has a row ready when a slot becomes free. */
const MIN_ROWS_AHEAD = 2;
const NEW_CLAIM_WEIGHT = 0.25;
const CROWDED_SHARE = 0.75;
const CROWDED_FIRST_ROOM = 4;

export function createClaimQuota(options: ClaimQuotaOptions): ClaimQuota {
  const { destinationInFlight, destinationHeld, shardHeld, now, heldCount, queueCount } = options;
  const heldPerSlot = destinationHeld / destinationInFlight;
  const firstRoom = Math.floor(firstAllowance(destinationInFlight) * heldPerSlot);
  const crowdedAt = shardHeld * CROWDED_SHARE;
  let claimBeganMs = now();
  let claimMs = 0;

  return {
    of(queue) {
      const room = roomOf(queue);
      if (heldCount() < crowdedAt) return room;
      const perRequest = 1 + queue.followingCount / Math.max(queue.heldCount, 1);
      return Math.min(room, Math.max(Math.floor(crowdedAt / queueCount() / perRequest), 1));
    },
    ofNewDestination: () => (heldCount() < crowdedAt ? firstRoom : Math.min(firstRoom, CROWDED_FIRST_ROOM)),
    claimBegins: () => void (claimBeganMs = now()),
    claimEnds: () => void (claimMs += (now() - claimBeganMs - claimMs) * NEW_CLAIM_WEIGHT),
  };

  function roomOf(queue: DestinationQueue<unknown>): number {
    const { allowance, throughput, heldCount: rows, followingCount, ready, rounds } = queue;
    const maxRoom = Math.floor(allowance.value * heldPerSlot);
    // Requests of many deliveries: enough for all slots.
    if (followingCount > maxRoom) return Math.min(allowance.value + MIN_ROWS_AHEAD, maxRoom);
    const perMs = throughput.perMs();
    if (perMs === undefined) return maxRoom;
    const ahead = Math.ceil(perMs * Math.max(MIN_AHEAD_MS, claimMs * CLAIMS_AHEAD));
    const blockedCount = rows - rounds.size - ready.length;
    return Math.min(allowance.value + Math.max(ahead, MIN_ROWS_AHEAD) + blockedCount, maxRoom);
  }
}
