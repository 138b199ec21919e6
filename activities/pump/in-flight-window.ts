import { recoveryInFlight } from '../../contract/destinations/circuit.ts';
import type { Answer } from './allowance.ts';
import {
  releaseNext,
  createDestinationQueue,
  enqueue,
  takeBehind,
  takeWaiting,
  type DestinationQueue,
  type QueuedRow,
} from './destination-queue.ts';
import { createRateLimiter } from './limits/rate-limiter.ts';
import { createClaimQuota, type ClaimQuota } from './claim-quota.ts';
import { createWorkspaceSlots, type WorkspaceSlots } from './limits/workspace-slots.ts';

export interface WindowLimits {
  readonly destinationInFlight: number;
  readonly workspaceInFlight: number;
  readonly destinationHeld: number;
  /** Optional. Rows of all destinations. Default: 8,192. */
  readonly shardHeld?: number;
  /** Optional. Shared by the shards of a process. Default: slots of this window alone. */
  readonly workspaceSlots?: WorkspaceSlots | undefined;
  /** Optional. Called when slots that `take` missed may be free. */
  readonly onSlotsFree?: () => void;
  /** Optional. Called with a destination whose rows wait because its requests, or its workspace's, use all slots. */
  readonly onFull?: ((destinationId: number) => void) | undefined;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/**
 * Holds the claimed rows of a shard in memory, waiting or in flight. Limits apply per destination and per workspace,
 * and an ordered conversation has one row in flight. A row counts as in flight until its outcome is in the ledger,
 * because a crash before that sends it again.
 *
 * A failed row blocks its conversation until the failure is settled. Then the rows behind it are dropped, including
 * those that an earlier claim still returns, and the ledger decides when they can be claimed again.
 *
 * How many rows a destination may have in flight is its allowance's decision, and how many it may hold follows from
 * what it settles, so that slow and dead destinations occupy little and a recovering one is not flooded.
 */
export interface InFlightWindow<Row extends QueuedRow> extends ClaimLimits {
  /** Must be called before the ledger is read. */
  claimBegins(): void;
  /** Drops rows whose conversation failed since the claim started. */
  add(rows: readonly Row[]): void;
  /** As `claimBegins`, for rows of debounced destinations, which are read meanwhile. */
  debounceBegins(): void;
  /** Each row is a request with the deliveries that follow it. */
  addDebounced(rows: readonly Row[]): void;
  take(): Row[];
  /** Unblocks the row's conversation. The row stays in flight until `settled`. */
  accepted(row: Row): void;
  /** Returns whether accepted rows occupy a quarter of a destination's slots while others wait for one. */
  needsSettlement(destinationId: number): boolean;
  /** Frees the row's slot. `failed`: failed or without an outcome; `passed`: postponed without an attempt. */
  settled(row: Row, outcome: Answer | 'passed'): void;
  /** Includes rows of the claim in progress. */
  drop(destinationId: number): void;
  /** Frees everything. Later calls change nothing. */
  close(): void;
}

/** What the next claim may return. */
export interface ClaimLimits {
  /** For destinations that hold nothing. */
  firstRoom(): number;
  /** Deliveries that the shard may still hold. */
  freeCount(): number;
  heldIds(): number[];
  heldCount(): number;
  heldCounts(): Map<number, number>;
  room(): Map<number, number>;
  /** The conversations of a destination that have rows. */
  heldConversations(destinationId: number): number[];
  hasRoomFor(destinationIds: ReadonlySet<number>): boolean;
}

const SHARD_HELD = 8_192;
const NOTHING: never[] = [];

export function createInFlightWindow<Row extends QueuedRow>(limits: WindowLimits): InFlightWindow<Row> {
  const { now = () => performance.now(), shardHeld = SHARD_HELD, onSlotsFree = () => undefined } = limits;
  const slots = limits.workspaceSlots ?? createWorkspaceSlots({ perInstallation: limits.workspaceInFlight });
  const held = new Map<number, Row>();
  const queues = new Map<number, DestinationQueue<Row>>();
  const following = createFollowing();
  const heldCount = (): number => held.size + following.ids.size;
  const quota = createClaimQuota({ ...limits, shardHeld, now, heldCount, queueCount: () => queues.size });
  const rates = createRateLimiter({ now, onReady: onSlotsFree });
  const claimed = createChanges();
  const debounced = createChanges();
  const contents = { shardHeld, held, following: following.ids, queues, quota, now };
  const calls = {
    claimBegins,
    add,
    debounceBegins: debounced.clear,
    addDebounced,
    take,
    accepted,
    settled,
    drop,
    close,
  };
  return { ...calls, ...claimLimits(contents), ...slotNeeds(contents) };

  function claimBegins(): void {
    quota.claimBegins();
    claimed.clear();
  }

  function add(rows: readonly Row[]): void {
    quota.claimEnds();
    for (const row of rows) addRow(row, claimed);
  }

  function addDebounced(rows: readonly Row[]): void {
    for (const row of rows) addRow(row, debounced);
  }

  function take(): Row[] {
    return [...queues.values()].flatMap(takeFrom);
  }

  function accepted(row: Row): void {
    const queue = queues.get(row.destinationId);
    if (!queue) return;
    countAnswer(queue, row, 'accepted');
    if (queue.rounds.has(row.id)) queue.unsettled.add(row.id);
    releaseNext(queue, row);
  }

  function settled(row: Row, outcome: Answer | 'passed'): void {
    if (!held.delete(row.id)) return;
    const queue = queues.get(row.destinationId)!;
    queue.heldCount--;
    following.remove(queue, row);
    queue.throughput.add();
    slots.release(row.workspaceId);
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

  function drop(destinationId: number): void {
    for (const { dropped } of [claimed, debounced]) dropped.add(destinationId);
    const queue = queues.get(destinationId);
    if (!queue) return;
    forget(queue, takeWaiting(queue));
    removeIfEmpty(destinationId, queue);
  }

  function close(): void {
    for (const { workspaceId, rounds } of queues.values()) {
      slots.release(workspaceId, rounds.size);
      slots.leave(workspaceId);
    }
    for (const rows of [queues, held, following.ids]) rows.clear();
    rates.close();
  }

  function removeIfEmpty(destinationId: number, queue: DestinationQueue<Row>): void {
    if (queue.heldCount > 0) return;
    queues.delete(destinationId);
    slots.leave(queue.workspaceId);
  }

  function forget(queue: DestinationQueue<Row>, rows: readonly Row[]): void {
    for (const row of rows) {
      held.delete(row.id);
      following.remove(queue, row);
    }
    queue.heldCount -= rows.length;
  }

  function addRow(row: Row, { failed, dropped }: Changes): void {
    if (held.has(row.id) || dropped.has(row.destinationId) || failed.has(conversationOf(row))) return;
    held.set(row.id, row);
    const queue = queues.get(row.destinationId) ?? addQueue(row);
    if (typeof row.recoveredForMs === 'number') queue.recoveredAtMs ??= now() - row.recoveredForMs;
    queue.limits = row.options ?? null;
    enqueue(queue, row);
    following.add(queue, row);
  }

  function addQueue({ destinationId, workspaceId }: Row): DestinationQueue<Row> {
    const queue = createDestinationQueue<Row>({ workspaceId, maxInFlight: limits.destinationInFlight, now });
    queues.set(destinationId, queue);
    slots.join(workspaceId);
    return queue;
  }

  function takeFrom(queue: DestinationQueue<Row>): Row[] {
    let count = 0;
    const maxCount = maxInFlight(queue, now());
    while (count < queue.ready.length && queue.rounds.size < maxCount) {
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
    if (next && !isUnsettled(queue)) limits.onFull?.(next.destinationId);
    return count === 0 ? NOTHING : queue.ready.splice(0, count);
  }
}

/** The deliveries in the requests of other rows. */
function createFollowing() {
  const ids = new Set<number>();
  return {
    ids,
    add(queue: DestinationQueue<QueuedRow>, { following = NOTHING }: QueuedRow): void {
      for (const { id } of following) ids.add(id);
      queue.followingCount += following.length;
    },
    remove(queue: DestinationQueue<QueuedRow>, { following = NOTHING }: QueuedRow): void {
      for (const { id } of following) ids.delete(id);
      queue.followingCount -= following.length;
    },
  };
}

/** What happened since the ledger was read. */
interface Changes {
  readonly failed: Set<string>;
  readonly dropped: Set<number>;
  clear(): void;
}

function createChanges(): Changes {
  const failed = new Set<string>();
  const dropped = new Set<number>();
  return { failed, dropped, clear: () => [failed, dropped].forEach((since) => since.clear()) };
}

interface Contents {
  readonly shardHeld: number;
  readonly held: ReadonlyMap<number, QueuedRow>;
  readonly following: ReadonlySet<number>;
  readonly queues: ReadonlyMap<number, DestinationQueue<QueuedRow>>;
  readonly quota: ClaimQuota;
  readonly now: () => number;
}

function slotNeeds({ queues, now }: Contents): Pick<InFlightWindow<QueuedRow>, 'needsSettlement'> {
  return {
    needsSettlement(destinationId) {
      const queue = queues.get(destinationId);
      return queue !== undefined && queue.ready.length > 0 && queue.unsettled.size * 4 >= maxInFlight(queue, now());
    },
  };
}

function claimLimits({ shardHeld, held, following, queues, quota }: Contents): ClaimLimits {
  return {
    firstRoom: () => quota.ofNewDestination(),
    freeCount: () => shardHeld - held.size - following.size,
    heldIds: () => [...held.keys(), ...following],
    heldCount: () => held.size,
    heldCounts: () => new Map([...queues].map(([id, queue]) => [id, queue.heldCount])),
    room: () => new Map([...queues].map(([id, queue]) => [id, Math.max(quota.of(queue) - queue.heldCount, 0)])),
    heldConversations(destinationId) {
      if (!queues.has(destinationId)) return [];
      const rows = [...held.values()].filter((row) => row.destinationId === destinationId);
      return rows.map((row) => row.conversationKey);
    },
    hasRoomFor(destinationIds) {
      for (const id of destinationIds) {
        const queue = queues.get(id);
        if (!queue || queue.heldCount <= quota.of(queue) / 2) return true;
      }
      return false;
    },
  };
}

/** Whether accepted rows, which wait for the ledger, use most slots. */
function isUnsettled({ rounds, unsettled }: DestinationQueue<QueuedRow>): boolean {
  return unsettled.size * 2 > rounds.size;
}

function countAnswer<Row extends QueuedRow>({ allowance, rounds }: DestinationQueue<Row>, { id }: Row, answer: Answer) {
  const round = rounds.get(id);
  if (round !== undefined) allowance.count(answer, round);
}

function maxInFlight({ allowance, recoveredAtMs, limits }: DestinationQueue<QueuedRow>, nowMs: number): number {
  const allowed = Math.min(allowance.value, limits?.concurrency ?? Infinity);
  if (recoveredAtMs === undefined) return allowed;
  return Math.min(allowed, recoveryInFlight(nowMs - recoveredAtMs));
}

function conversationOf({ destinationId, conversationKey }: QueuedRow): string {
  return `${destinationId} ${conversationKey}`;
}
