import { recoveryInFlight } from '../../contract/destinations/circuit.ts';
import type { Answer } from './allowance.ts';
import {
  conversationOf,
  createDestinationQueue,
  type DestinationQueue,
  enqueue,
  firstAllowance,
  type QueuedRow,
  releaseNext,
  takeBehind,
  takeWaiting,
} from './destination-queue.ts';
import { createRateLimiter } from './limits/rate-limiter.ts';
import { createWorkspaceSlots, type WorkspaceSlots } from './limits/workspace-slots.ts';

export interface WindowLimits {
  readonly destinationInFlight: number;
  readonly workspaceInFlight: number;
  readonly destinationHeld: number;
  /** Optional. Rows of all destinations. Default: 16,384. */
  readonly held?: number;
  /** Optional. Default: slots of this process alone. */
  readonly workspaceSlots?: WorkspaceSlots | undefined;
  /** Optional. Called when slots that `take` missed may be free. */
  readonly onSlotsFree?: () => void;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/**
 * Holds the claimed rows of the pump's shards in memory, waiting or in flight. Limits apply per destination and per workspace,
 * and an ordered conversation has one row in flight. An answer frees the row's slot. An accepted row stays in memory until
 * its outcome is in the ledger, and a destination has a limit of them, because a crash before that sends them again.
 *
 * A failed row blocks its conversation until the failure is settled. Then the rows behind it are dropped, including
 * those that an earlier claim still returns, and the ledger decides when they can be claimed again.
 *
 * How many rows a destination may have in flight is its allowance's decision, and how many it may hold follows from
 * what it settles, so that slow and dead destinations occupy little and a recovering one is not flooded.
 */
export interface InFlightWindow<Row extends QueuedRow> {
  /** Must be called before the ledger is read. */
  claimBegins(): void;
  /** Drops rows whose conversation failed since the claim started. */
  add(rows: readonly Row[]): void;
  /** Adds a row that no claim has read. */
  addOffered(row: Row): void;
  /** As `claimBegins`, for rows of debounced destinations, which are read meanwhile. */
  debounceBegins(): void;
  /** Each row is a request with the deliveries that follow it. */
  addDebounced(rows: readonly Row[]): void;
  /**
   * Of all destinations, or of these. `onFull` is called with destinations whose rows wait because its requests, or its
   * workspace's, use all slots.
   */
  take(onFull?: (destinationId: number) => void, destinationIds?: Iterable<number>): Row[];
  /** Frees the row's slot and its conversation. */
  accepted(row: Row): void;
  /** The outcome is in the ledger. `failed`: failed or without an outcome; `passed`: postponed without an attempt. */
  settled(row: Row, outcome: Answer | 'passed'): void;
  /** Includes rows of the claim in progress. */
  drop(destinationId: number): void;
  /** As `drop`, of all destinations. */
  dropAll(): void;
  /** As `drop`, of the destinations in these shards. */
  dropShards(shards: ReadonlySet<number>): void;
  /** Other pumps may have sent requests to the destinations of a new shard. */
  shardsTaken(): void;
  /** Frees everything. Later calls change nothing. */
  close(): void;

  // What the next claim may return:

  /** For destinations that hold nothing. */
  firstRoom(): number;
  /** Deliveries that the window may still hold. */
  freeCount(): number;
  heldCount(): number;
  isHeld(id: number): boolean;
  /** Of all destinations, or of those in these shards. */
  heldIds(shards?: ReadonlySet<number>): number[];
  heldCounts(shards?: ReadonlySet<number>): Map<number, number>;
  room(shards?: ReadonlySet<number>): Map<number, number>;
  roomOf(destinationId: number): number;
  /** The conversations of a destination that have rows. */
  heldConversations(destinationId: number): number[];
  hasRoomFor(destinationIds: Iterable<number>): boolean;
}

const HELD = 16_384;
/** Of a destination, or as many as it may have in flight: a crash may repeat them. */
const MAX_UNSETTLED = 256;
const NOTHING: never[] = [];
/** Rows settled in this time are held in advance, or in four claims if these take longer. */
const MIN_AHEAD_MS = 200;
const CLAIMS_AHEAD = 4;
/** So that a slow destination has a row ready when a slot becomes free. */
const MIN_ROWS_AHEAD = 2;
const NEW_CLAIM_WEIGHT = 0.25;
/**
 * Once the window holds three quarters of its rows, no destination gets more than an equal share, and new destinations
 * get a few each.
 */
const CROWDED_SHARE = 0.75;
const CROWDED_FIRST_ROOM = 4;

/** What happened since the ledger was read. */
interface Changes {
  readonly failed: Set<string>;
  readonly dropped: Set<number>;
  isAllDropped: boolean;
}

export function createInFlightWindow<Row extends QueuedRow>(limits: WindowLimits): InFlightWindow<Row> {
  const { destinationInFlight, destinationHeld, held: maxHeld = HELD } = limits;
  const { now = () => performance.now(), onSlotsFree = () => undefined } = limits;
  const slots = limits.workspaceSlots ?? createWorkspaceSlots({ perInstallation: limits.workspaceInFlight });
  const held = new Map<number, Row>();
  const queues = new Map<number, DestinationQueue<Row>>();
  /** The deliveries in the requests of other rows, and their shards. */
  const following = new Map<number, number>();
  const rates = createRateLimiter({ now, onReady: onSlotsFree });
  const claimed: Changes = { failed: new Set(), dropped: new Set(), isAllDropped: false };
  const debounced: Changes = { failed: new Set(), dropped: new Set(), isAllDropped: false };
  const heldPerSlot = destinationHeld / destinationInFlight;
  const firstRoom = Math.floor(firstAllowance(destinationInFlight) * heldPerSlot);
  const crowdedAt = maxHeld * CROWDED_SHARE;
  const maxUnsettled = Math.max(MAX_UNSETTLED, destinationInFlight);
  let claimBeganMs = now();
  let claimMs = 0;

  return {
    claimBegins() {
      claimBeganMs = now();
      clear(claimed);
    },
    add(rows) {
      claimMs += (now() - claimBeganMs - claimMs) * NEW_CLAIM_WEIGHT;
      for (const row of rows) addRow(row, claimed);
    },
    addOffered: hold,
    debounceBegins: () => clear(debounced),
    addDebounced(rows) {
      for (const row of rows) addRow(row, debounced);
    },
    take(onFull, destinationIds = queues.keys()) {
      const taken: Row[] = [];
      for (const id of destinationIds) {
        const queue = queues.get(id);
        if (queue) taken.push(...takeFrom(queue, onFull));
      }
      return taken;
    },
    accepted(row) {
      const queue = queues.get(row.destinationId);
      if (!queue) return;
      countAnswer(queue, row, 'accepted');
      if (queue.rounds.delete(row.id)) {
        queue.unsettled.add(row.id);
        slots.release(row.workspaceId);
      }
      releaseNext(queue, row);
    },
    settled,
    drop(destinationId) {
      for (const { dropped } of [claimed, debounced]) dropped.add(destinationId);
      dropWaiting(destinationId);
    },
    dropAll() {
      for (const changes of [claimed, debounced]) changes.isAllDropped = true;
      for (const destinationId of [...queues.keys()]) dropWaiting(destinationId);
    },
    dropShards(shards) {
      for (const [destinationId, { shard }] of [...queues]) if (shards.has(shard)) dropWaiting(destinationId);
    },
    shardsTaken: rates.restart,
    close() {
      for (const { workspaceId, rounds } of queues.values()) {
        slots.release(workspaceId, rounds.size);
        slots.leave(workspaceId);
      }
      for (const rows of [queues, held, following]) rows.clear();
      rates.close();
    },
    firstRoom: firstRoomNow,
    freeCount: () => maxHeld - held.size - following.size,
    heldCount: () => held.size,
    isHeld: (id) => held.has(id),
    heldIds(shards) {
      if (!shards) return [...held.keys(), ...following.keys()];
      const ids: number[] = [];
      for (const { id, shard } of held.values()) if (shards.has(shard)) ids.push(id);
      for (const [id, shard] of following) if (shards.has(shard)) ids.push(id);
      return ids;
    },
    heldCounts: (shards) => new Map(queuesIn(shards).map(([id, queue]) => [id, unansweredCount(queue)])),
    room: (shards) => new Map(queuesIn(shards).map(([id, queue]) => [id, roomIn(queue)])),
    heldConversations(destinationId) {
      if (!queues.has(destinationId)) return [];
      const rows = [...held.values()].filter((row) => row.destinationId === destinationId);
      return rows.map((row) => row.conversationKey);
    },
    hasRoomFor(destinationIds) {
      for (const id of destinationIds) {
        const queue = queues.get(id);
        if (!queue || unansweredCount(queue) <= quotaOf(queue) / 2) return true;
      }
      return false;
    },
    roomOf(destinationId) {
      const queue = queues.get(destinationId);
      return queue ? roomIn(queue) : firstRoomNow();
    },
  };

  function settled(row: Row, outcome: Answer | 'passed'): void {
    if (!held.delete(row.id)) return;
    const queue = queues.get(row.destinationId)!;
    queue.heldCount--;
    removeFollowing(queue, row);
    queue.throughput.add();
    if (queue.rounds.has(row.id)) slots.release(row.workspaceId);
    if (outcome === 'passed') releaseNext(queue, row);
    if (outcome === 'failed' || outcome === 'overloaded') {
      countAnswer(queue, row, outcome);
      for (const { failed } of [claimed, debounced]) failed.add(conversationOf(row));
      forget(queue, takeBehind(queue, row));
    }
    queue.rounds.delete(row.id);
    queue.unsettled.delete(row.id);
    removeIfEmpty(row.destinationId, queue);
  }

  function queuesIn(shards: ReadonlySet<number> | undefined): [number, DestinationQueue<Row>][] {
    return shards ? [...queues].filter(([, { shard }]) => shards.has(shard)) : [...queues];
  }

  function dropWaiting(destinationId: number): void {
    const queue = queues.get(destinationId);
    if (!queue) return;
    forget(queue, takeWaiting(queue));
    removeIfEmpty(destinationId, queue);
  }

  function removeIfEmpty(destinationId: number, queue: DestinationQueue<Row>): void {
    if (queue.heldCount > 0) return;
    queues.delete(destinationId);
    slots.leave(queue.workspaceId);
  }

  function forget(queue: DestinationQueue<Row>, rows: readonly Row[]): void {
    for (const row of rows) {
      held.delete(row.id);
      removeFollowing(queue, row);
    }
    queue.heldCount -= rows.length;
  }

  function removeFollowing(queue: DestinationQueue<Row>, { following: others = NOTHING }: Row): void {
    for (const { id } of others) following.delete(id);
    queue.followingCount -= others.length;
  }

  function addRow(row: Row, { failed, dropped, isAllDropped }: Changes): void {
    if (isAllDropped || dropped.has(row.destinationId)) return;
    if (held.has(row.id) || failed.has(conversationOf(row))) return;
    hold(row);
  }

  function hold(row: Row): void {
    held.set(row.id, row);
    const queue = queues.get(row.destinationId) ?? addQueue(row);
    if (typeof row.recoveredForMs === 'number') queue.recoveredAtMs ??= now() - row.recoveredForMs;
    queue.limits = row.options ?? null;
    enqueue(queue, row);
    const others = row.following ?? NOTHING;
    for (const { id } of others) following.set(id, row.shard);
    queue.followingCount += others.length;
  }

  function addQueue({ destinationId, shard, workspaceId }: Row): DestinationQueue<Row> {
    const queue = createDestinationQueue<Row>({ shard, workspaceId, maxInFlight: destinationInFlight, now });
    queues.set(destinationId, queue);
    slots.join(workspaceId);
    return queue;
  }

  function takeFrom(queue: DestinationQueue<Row>, onFull: ((destinationId: number) => void) | undefined): Row[] {
    let count = 0;
    const maxCount = maxInFlight(queue, now());
    const maxSent = maxUnsettled - queue.unsettled.size;
    while (count < queue.ready.length && queue.rounds.size < Math.min(maxCount, maxSent)) {
      const { id, destinationId } = queue.ready[count]!;
      if (!rates.mayBegin(destinationId, queue.limits?.requestsPerSecond)) break;
      if (!slots.tryTake(queue.workspaceId, queue.rounds.size)) {
        slots.awaitFree(queue.workspaceId, onSlotsFree);
        break;
      }
      rates.began(destinationId);
      queue.rounds.set(id, queue.allowance.round);
      count++;
    }
    const next = queue.ready[count];
    if (next && queue.rounds.size < maxSent) onFull?.(next.destinationId);
    return count === 0 ? NOTHING : queue.ready.splice(0, count);
  }

  function firstRoomNow(): number {
    return isCrowded() ? Math.min(firstRoom, CROWDED_FIRST_ROOM) : firstRoom;
  }

  function roomIn(queue: DestinationQueue<Row>): number {
    return Math.max(quotaOf(queue) - unansweredCount(queue), 0);
  }

  function isCrowded(): boolean {
    return held.size + following.size >= crowdedAt;
  }

  /**
   * How many rows a destination may hold: what it has in flight, what it settles while more are claimed, and rows that
   * wait behind their own conversation, so that a busy conversation does not hide others.
   */
  function quotaOf(queue: DestinationQueue<Row>): number {
    const quota = uncrowdedQuotaOf(queue);
    if (!isCrowded()) return quota;
    const perRequest = 1 + queue.followingCount / Math.max(queue.heldCount, 1);
    return Math.min(quota, Math.max(Math.floor(crowdedAt / queues.size / perRequest), 1));
  }

  function uncrowdedQuotaOf(queue: DestinationQueue<Row>): number {
    const { allowance, throughput, followingCount, ready, rounds } = queue;
    const maxRoom = Math.floor(allowance.value * heldPerSlot);
    // Requests of many deliveries: enough for all slots.
    if (followingCount > maxRoom) return Math.min(allowance.value + MIN_ROWS_AHEAD, maxRoom);
    const perMs = throughput.perMs();
    if (perMs === undefined) return maxRoom;
    const ahead = Math.ceil(perMs * Math.max(MIN_AHEAD_MS, claimMs * CLAIMS_AHEAD));
    const blockedCount = unansweredCount(queue) - rounds.size - ready.length;
    return Math.min(allowance.value + Math.max(ahead, MIN_ROWS_AHEAD) + blockedCount, maxRoom);
  }
}

function clear(changes: Changes): void {
  changes.failed.clear();
  changes.dropped.clear();
  changes.isAllDropped = false;
}

/** Rows without an answer. */
function unansweredCount({ heldCount, unsettled }: DestinationQueue<QueuedRow>): number {
  return heldCount - unsettled.size;
}

function countAnswer({ allowance, rounds }: DestinationQueue<QueuedRow>, { id }: QueuedRow, answer: Answer): void {
  const round = rounds.get(id);
  if (round !== undefined) allowance.count(answer, round);
}

function maxInFlight({ allowance, recoveredAtMs, limits }: DestinationQueue<QueuedRow>, nowMs: number): number {
  const allowed = Math.min(allowance.value, limits?.concurrency ?? Infinity);
  if (recoveredAtMs === undefined) return allowed;
  return Math.min(allowed, recoveryInFlight(nowMs - recoveredAtMs));
}
