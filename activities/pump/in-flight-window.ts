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

export interface WindowLimits {
  readonly destinationInFlight: number;
  readonly workspaceInFlight: number;
  readonly destinationHeld: number;
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
 * A destination's share grows with each accepted delivery and halves with each failure, so that a dead destination
 * occupies little and a recovering one is not flooded.
 */
export interface InFlightWindow<Row extends QueuedRow> {
  /** Must be called before the ledger is read. */
  claimBegins(): void;
  /** Drops rows whose conversation failed since the claim started. */
  add(rows: readonly Row[]): void;
  take(): Row[];
  /** Unblocks the row's conversation. The row stays in flight until `settled`. */
  accepted(row: Row): void;
  /** Frees the row's slot. `failed`: failed or without an outcome; `passed`: postponed without an attempt. */
  settled(row: Row, outcome: 'accepted' | 'failed' | 'passed'): void;
  /** Includes rows of the claim in progress. */
  drop(destinationId: number): void;
  readonly firstRoom: number;
  readonly heldIds: () => number[];
  readonly heldCount: () => number;
  readonly room: () => Map<number, number>;
  hasRoomFor(destinationIds: ReadonlySet<number>): boolean;
}

const FIRST_ALLOWANCE = 8;
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
