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
 */
export interface WindowRow {
  readonly id: number;
  readonly destinationId: number;
  readonly workspaceId: string;
  readonly conversationKey: number;
  readonly ordering: 'conversation' | 'none';
}

export interface WindowLimits {
  readonly destinationInFlight: number;
  readonly workspaceInFlight: number;
  /** Rows of one destination that may be held, on their way or waiting. */
  readonly destinationHeld: number;
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
  /** The outcome is in the ledger (or there will be none, also `failed`): the row's place is free. */
  settled(row: Row, outcome: 'accepted' | 'failed'): void;
  readonly heldIds: () => number[];
  readonly heldCount: () => number;
  /** Room left, for each destination that holds any rows. */
  readonly room: () => Map<number, number>;
  /** Whether a claim would be worth while: half the places of one of these destinations are free. */
  hasRoomFor(destinationIds: ReadonlySet<number>): boolean;
}

interface Lane<Row> {
  readonly ready: Row[];
  readonly behind: Map<number, Row[]>;
  /** The highest number that was added: a lower one has to find its place. */
  lastId: number;
  heldCount: number;
  inFlightCount: number;
}

export function createWindow<Row extends WindowRow>(limits: WindowLimits): Window<Row> {
  const held = new Map<number, Row>();
  const lanes = new Map<number, Lane<Row>>();
  const workspaces = new Map<string, number>();
  const failedSinceClaim = new Set<string>();

  return {
    claimBegins() {
      failedSinceClaim.clear();
    },
    add(rows) {
      for (const row of rows) if (!held.has(row.id) && !failedSinceClaim.has(conversationOf(row))) addRow(row);
    },
    take() {
      const taken: Row[] = [];
      for (const lane of lanes.values()) takeFrom(lane, taken);
      return taken;
    },
    accepted(row) {
      const lane = lanes.get(row.destinationId);
      if (lane) advance(lane, row);
    },
    settled(row, outcome) {
      if (!held.delete(row.id)) return;
      const lane = lanes.get(row.destinationId)!;
      lane.heldCount--;
      lane.inFlightCount--;
      countInWorkspace(row, -1);
      if (outcome === 'failed') forgetBehind(lane, row);
      if (lane.heldCount === 0) lanes.delete(row.destinationId);
    },
    heldIds: () => [...held.keys()],
    heldCount: () => held.size,
    hasRoomFor(destinationIds) {
      for (const id of destinationIds) {
        if ((lanes.get(id)?.heldCount ?? 0) <= limits.destinationHeld / 2) return true;
      }
      return false;
    },
    room: () => new Map([...lanes].map(([id, lane]) => [id, Math.max(limits.destinationHeld - lane.heldCount, 0)])),
  };

  function addRow(row: Row): void {
    held.set(row.id, row);
    const lane = laneOf(row);
    const isLate = row.id < lane.lastId;
    lane.lastId = Math.max(lane.lastId, row.id);
    lane.heldCount++;
    if (row.ordering === 'none') return void lane.ready.push(row);
    const behind = lane.behind.get(row.conversationKey);
    if (!behind) {
      lane.behind.set(row.conversationKey, []);
      lane.ready.push(row);
      return;
    }
    behind.push(isLate ? changePlaces(lane, row) : row);
    if (isLate) behind.sort((a, b) => a.id - b.id);
  }

  function laneOf({ destinationId }: Row): Lane<Row> {
    const known = lanes.get(destinationId);
    if (known) return known;
    const lane = { ready: [], behind: new Map(), lastId: 0, heldCount: 0, inFlightCount: 0 };
    lanes.set(destinationId, lane);
    return lane;
  }

  /**
   * A claim may bring a lower number than the one before, because rows become visible when their transactions commit:
   * it takes the place of a higher one of its conversation that is next but has not gone yet.
   */
  function changePlaces(lane: Lane<Row>, row: Row): Row {
    const index = lane.ready.findIndex((each) => each.conversationKey === row.conversationKey && each.id > row.id);
    return index < 0 ? row : lane.ready.splice(index, 1, row)[0]!;
  }

  function takeFrom(lane: Lane<Row>, taken: Row[]): void {
    let index = 0;
    while (index < lane.ready.length && lane.inFlightCount < limits.destinationInFlight) {
      const row = lane.ready[index]!;
      if ((workspaces.get(row.workspaceId) ?? 0) >= limits.workspaceInFlight) break; // a lane is of one workspace
      countInWorkspace(row, 1);
      lane.inFlightCount++;
      taken.push(row);
      index++;
    }
    if (index > 0) lane.ready.splice(0, index);
  }

  function advance(lane: Lane<Row>, row: Row): void {
    if (row.ordering === 'none') return;
    const behind = lane.behind.get(row.conversationKey);
    if (!behind) return;
    const next = behind.shift();
    if (next) lane.ready.push(next);
    else lane.behind.delete(row.conversationKey);
  }

  function forgetBehind(lane: Lane<Row>, row: Row): void {
    if (row.ordering === 'none') return;
    failedSinceClaim.add(conversationOf(row));
    for (const waiting of lane.behind.get(row.conversationKey) ?? []) {
      held.delete(waiting.id);
      lane.heldCount--;
    }
    lane.behind.delete(row.conversationKey);
  }

  function countInWorkspace(row: Row, change: 1 | -1): void {
    const count = (workspaces.get(row.workspaceId) ?? 0) + change;
    if (count === 0) workspaces.delete(row.workspaceId);
    else workspaces.set(row.workspaceId, count);
  }
}

function conversationOf({ destinationId, conversationKey }: WindowRow): string {
  return `${destinationId} ${conversationKey}`;
}
