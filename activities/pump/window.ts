import { recoveryInFlight } from '../../contract/destinations/circuit.ts';
import { letNextGo, openLane, queueRow, takeBehind, takeWaiting, type Lane, type WindowRow } from './lane.ts';

/**
 * What a pump holds of its shard: rows read from the ledger that wait for their turn, and rows on their way.
 *
 * Three rules decide what may go. A destination has so many in flight, a workspace so many over all its destinations,
 * and within a conversation one goes after the other. A row counts as in flight until its outcome is in the ledger,
 * not just until it is answered: whatever was answered but not yet settled would be sent again after a crash.
 *
 * A failure blocks its conversation here until the failure is settled; then the rows behind it are forgotten, and the
 * ledger says when they may be claimed again. A claim that began to read before that does not know of the failure:
 * what it brings of the conversation is forgotten too, or it would go before those that were.
 *
 * How much a destination may have here grows with what it accepts and shrinks with what it fails: one that is dead or
 * slow takes up little of the pump, and one that has just come back is not met by all that waits for it at once.
 */
export interface WindowLimits {
  readonly destinationInFlight: number;
  readonly workspaceInFlight: number;
  /** Rows of one destination that may be held, on their way or waiting. */
  readonly destinationHeld: number;
  /** The monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

export interface Window<Row extends WindowRow> {
  /** Call when a claim begins to read the ledger; its rows go to `add`. */
  claimBegins(): void;
  /** Takes in rows of the claim, but none of a conversation that has failed since the claim began: they come again. */
  add(rows: readonly Row[]): void;
  /** The rows that may go now, each given out once. */
  take(): Row[];
  /** The receiver accepted: the conversation goes on. The row stays held until `settled`. */
  accepted(row: Row): void;
  /**
   * The outcome is in the ledger (or there will be none, also `failed`): the row's place is free. `passed`: it was put aside
   * without an attempt, and its conversation goes on.
   */
  settled(row: Row, outcome: 'accepted' | 'failed' | 'passed'): void;
  /** A destination's circuit has opened: what has not gone yet is forgotten, the present claim's rows included. */
  drop(destinationId: number): void;
  /** Room for a destination that holds nothing yet. */
  readonly firstRoom: number;
  readonly heldIds: () => number[];
  readonly heldCount: () => number;
  /** Room left, for each destination that holds any rows. */
  readonly room: () => Map<number, number>;
  /** Whether a claim would be worth while: half the places of one of these destinations are free. */
  hasRoomFor(destinationIds: ReadonlySet<number>): boolean;
}

/** A destination begins with so many requests, and has one more for each that is accepted. */
const FIRST_ALLOWANCE = 8;
/** Most lanes have nothing to give at most times. */
const NOTHING: never[] = [];

export function createWindow<Row extends WindowRow>(limits: WindowLimits): Window<Row> {
  const { now = () => performance.now() } = limits;
  const firstAllowance = Math.min(FIRST_ALLOWANCE, limits.destinationInFlight);
  const maxHeld = ({ allowance }: Pick<Lane<Row>, 'allowance'>): number =>
    Math.floor((allowance * limits.destinationHeld) / limits.destinationInFlight);
  const held = new Map<number, Row>();
  const lanes = new Map<number, Lane<Row>>();
  const workspaces = new Map<string, number>();
  const failedSinceClaim = new Set<string>();
  const droppedSinceClaim = new Set<number>();

  return {
    claimBegins: () => [failedSinceClaim, droppedSinceClaim].forEach((since) => since.clear()),
    add: (rows) => rows.forEach(addRow),
    take: () => [...lanes.values()].flatMap(takeFrom),
    accepted,
    settled,
    drop,
    firstRoom: maxHeld({ allowance: firstAllowance }),
    heldIds: () => [...held.keys()],
    heldCount: () => held.size,
    hasRoomFor,
    room: () => new Map([...lanes].map(([id, lane]) => [id, Math.max(maxHeld(lane) - lane.heldCount, 0)])),
  };

  function accepted(row: Row): void {
    const lane = lanes.get(row.destinationId);
    if (!lane) return;
    lane.allowance = Math.min(lane.allowance + 1, limits.destinationInFlight);
    letNextGo(lane, row);
  }

  function settled(row: Row, outcome: 'accepted' | 'failed' | 'passed'): void {
    if (!held.delete(row.id)) return;
    const lane = lanes.get(row.destinationId)!;
    lane.heldCount--;
    lane.inFlightCount--;
    countIn(workspaces, row, -1);
    if (outcome === 'passed') letNextGo(lane, row);
    if (outcome === 'failed') {
      lane.allowance = Math.max(Math.floor(lane.allowance / 2), 1);
      failedSinceClaim.add(conversationOf(row));
      forget(lane, takeBehind(lane, row));
    }
    if (lane.heldCount === 0) lanes.delete(row.destinationId);
  }

  function drop(destinationId: number): void {
    droppedSinceClaim.add(destinationId);
    const lane = lanes.get(destinationId);
    if (!lane) return;
    forget(lane, takeWaiting(lane));
    if (lane.heldCount === 0) lanes.delete(destinationId);
  }

  function forget(lane: Lane<Row>, rows: readonly Row[]): void {
    for (const { id } of rows) held.delete(id);
    lane.heldCount -= rows.length;
  }

  function hasRoomFor(destinationIds: ReadonlySet<number>): boolean {
    for (const id of destinationIds) {
      const lane = lanes.get(id);
      if (!lane || lane.heldCount <= maxHeld(lane) / 2) return true;
    }
    return false;
  }

  function addRow(row: Row): void {
    if (held.has(row.id) || droppedSinceClaim.has(row.destinationId)) return;
    if (failedSinceClaim.has(conversationOf(row))) return;
    held.set(row.id, row);
    const lane = lanes.get(row.destinationId) ?? openLane<Row>(firstAllowance);
    lanes.set(row.destinationId, lane);
    if (typeof row.recoveredForMs === 'number') lane.recoveredAtMs ??= now() - row.recoveredForMs;
    queueRow(lane, row);
  }

  function takeFrom(lane: Lane<Row>): Row[] {
    let index = 0;
    const maxCount = maxInFlight(lane, now());
    while (index < lane.ready.length && lane.inFlightCount < maxCount) {
      const row = lane.ready[index]!;
      if ((workspaces.get(row.workspaceId) ?? 0) >= limits.workspaceInFlight) break; // a lane is of one workspace
      countIn(workspaces, row, 1);
      lane.inFlightCount++;
      index++;
    }
    return index === 0 ? NOTHING : lane.ready.splice(0, index);
  }
}

function maxInFlight({ allowance, recoveredAtMs }: Lane<WindowRow>, nowMs: number): number {
  return recoveredAtMs === undefined ? allowance : Math.min(allowance, recoveryInFlight(nowMs - recoveredAtMs));
}

function countIn(workspaces: Map<string, number>, { workspaceId }: WindowRow, change: 1 | -1): void {
  const count = (workspaces.get(workspaceId) ?? 0) + change;
  if (count === 0) workspaces.delete(workspaceId);
  else workspaces.set(workspaceId, count);
}

function conversationOf({ destinationId, conversationKey }: WindowRow): string {
  return `${destinationId} ${conversationKey}`;
}
