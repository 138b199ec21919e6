import { recoveryInFlight } from '../../contract/destinations/circuit.ts';
import {
  releaseNext,
  createDestinationQueue,
  enqueue,
  takeBehind,
  takeWaiting,
  type DestinationQueue,
  type QueuedRow,
} from './destination-queue.ts';

/**
 * The rows of a shard that a pump holds in memory: claimed rows waiting to be sent, and rows in flight.
 *
 * Three limits decide which rows can be sent: the number in flight per destination, the number in flight per workspace,
 * and one row at a time within a conversation. A row counts as in flight until its outcome is in the ledger, because a
 * crash before that sends it again.
 *
 * A failed row blocks its conversation until the failure is settled. Then the rows behind it are dropped, and the ledger
 * decides when they can be claimed again. A claim that began before the failure was settled may still return rows of the
 * conversation; they are dropped too, because sending them would break the order.
 *
 * A destination's share of the window grows with each accepted delivery and halves with each failure. A dead or slow
 * destination therefore occupies little of the pump, and a recovering one is not flooded.
 */
export interface WindowLimits {
  readonly destinationInFlight: number;
  readonly workspaceInFlight: number;
  /** Maximum number of rows held for one destination, waiting or in flight. */
  readonly destinationHeld: number;
  /** Optional. Monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number;
}

export interface InFlightWindow<Row extends QueuedRow> {
  /** Marks the start of a claim. Must be called before the ledger is read. */
  claimBegins(): void;
  /** Adds claimed rows. Drops rows whose conversation failed since the claim began; they are claimed again later. */
  add(rows: readonly Row[]): void;
  /** Returns the rows to send now. Each row is returned once. */
  take(): Row[];
  /** Records an accepted row and unblocks its conversation. The row counts as in flight until `settled`. */
  accepted(row: Row): void;
  /**
   * Frees the row's slot once its outcome is in the ledger. `failed` also covers rows that get no outcome; `passed` is a
   * row postponed without an attempt, whose conversation continues.
   */
  settled(row: Row, outcome: 'accepted' | 'failed' | 'passed'): void;
  /** Drops all unsent rows of a destination, including those of the claim in progress. Used when its circuit opens. */
  drop(destinationId: number): void;
  /** Free slots of a destination that holds no rows. */
  readonly firstRoom: number;
  readonly heldIds: () => number[];
  readonly heldCount: () => number;
  /** Returns the free slots of each destination that holds rows. */
  readonly room: () => Map<number, number>;
  /** Returns true if at least one of these destinations has half of its slots free, so that a claim is worthwhile. */
  hasRoomFor(destinationIds: ReadonlySet<number>): boolean;
}

/** Initial concurrency of a destination. Each accepted delivery adds one. */
const FIRST_ALLOWANCE = 8;
/** Avoids an allocation: most queues have nothing to send most of the time. */
const NOTHING: never[] = [];

export function createInFlightWindow<Row extends QueuedRow>(limits: WindowLimits): InFlightWindow<Row> {
  const { now = () => performance.now() } = limits;
  const firstAllowance = Math.min(FIRST_ALLOWANCE, limits.destinationInFlight);
  const maxHeld = ({ allowance }: Pick<DestinationQueue<Row>, 'allowance'>): number =>
    Math.floor((allowance * limits.destinationHeld) / limits.destinationInFlight);
  const held = new Map<number, Row>();
  const queues = new Map<number, DestinationQueue<Row>>();
  const workspaces = new Map<string, number>();
  const failedSinceClaim = new Set<string>();
  const droppedSinceClaim = new Set<number>();

  return {
    claimBegins: () => [failedSinceClaim, droppedSinceClaim].forEach((since) => since.clear()),
    add: (rows) => rows.forEach(addRow),
    take: () => [...queues.values()].flatMap(takeFrom),
    accepted,
    settled,
    drop,
    firstRoom: maxHeld({ allowance: firstAllowance }),
    heldIds: () => [...held.keys()],
    heldCount: () => held.size,
    hasRoomFor,
    room: () => new Map([...queues].map(([id, queue]) => [id, Math.max(maxHeld(queue) - queue.heldCount, 0)])),
  };

  function accepted(row: Row): void {
    const queue = queues.get(row.destinationId);
    if (!queue) return;
    queue.allowance = Math.min(queue.allowance + 1, limits.destinationInFlight);
    releaseNext(queue, row);
  }

  function settled(row: Row, outcome: 'accepted' | 'failed' | 'passed'): void {
    if (!held.delete(row.id)) return;
    const queue = queues.get(row.destinationId)!;
    queue.heldCount--;
    queue.inFlightCount--;
    countIn(workspaces, row, -1);
    if (outcome === 'passed') releaseNext(queue, row);
    if (outcome === 'failed') {
      queue.allowance = Math.max(Math.floor(queue.allowance / 2), 1);
      failedSinceClaim.add(conversationOf(row));
      forget(queue, takeBehind(queue, row));
    }
    if (queue.heldCount === 0) queues.delete(row.destinationId);
  }

  function drop(destinationId: number): void {
    droppedSinceClaim.add(destinationId);
    const queue = queues.get(destinationId);
    if (!queue) return;
    forget(queue, takeWaiting(queue));
    if (queue.heldCount === 0) queues.delete(destinationId);
  }

  function forget(queue: DestinationQueue<Row>, rows: readonly Row[]): void {
    for (const { id } of rows) held.delete(id);
    queue.heldCount -= rows.length;
  }

  function hasRoomFor(destinationIds: ReadonlySet<number>): boolean {
    for (const id of destinationIds) {
      const queue = queues.get(id);
      if (!queue || queue.heldCount <= maxHeld(queue) / 2) return true;
    }
    return false;
  }

  function addRow(row: Row): void {
    if (held.has(row.id) || droppedSinceClaim.has(row.destinationId)) return;
    if (failedSinceClaim.has(conversationOf(row))) return;
    held.set(row.id, row);
    const queue = queues.get(row.destinationId) ?? createDestinationQueue<Row>(firstAllowance);
    queues.set(row.destinationId, queue);
    if (typeof row.recoveredForMs === 'number') queue.recoveredAtMs ??= now() - row.recoveredForMs;
    enqueue(queue, row);
  }

  function takeFrom(queue: DestinationQueue<Row>): Row[] {
    let index = 0;
    const maxCount = maxInFlight(queue, now());
    while (index < queue.ready.length && queue.inFlightCount < maxCount) {
      const row = queue.ready[index]!;
      if ((workspaces.get(row.workspaceId) ?? 0) >= limits.workspaceInFlight) break; // all rows of a queue belong to one workspace
      countIn(workspaces, row, 1);
      queue.inFlightCount++;
      index++;
    }
    return index === 0 ? NOTHING : queue.ready.splice(0, index);
  }
}

function maxInFlight({ allowance, recoveredAtMs }: DestinationQueue<QueuedRow>, nowMs: number): number {
  return recoveredAtMs === undefined ? allowance : Math.min(allowance, recoveryInFlight(nowMs - recoveredAtMs));
}

function countIn(workspaces: Map<string, number>, { workspaceId }: QueuedRow, change: 1 | -1): void {
  const count = (workspaces.get(workspaceId) ?? 0) + change;
  if (count === 0) workspaces.delete(workspaceId);
  else workspaces.set(workspaceId, count);
}

function conversationOf({ destinationId, conversationKey }: QueuedRow): string {
  return `${destinationId} ${conversationKey}`;
}
