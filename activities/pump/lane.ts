import type { DestinationOrdering } from '../../contract/deliveries/status.ts';

/** A row as the order and the bounds of sending need it. */
export interface WindowRow {
  readonly id: number;
  readonly destinationId: number;
  readonly workspaceId: string;
  readonly conversationKey: number;
  readonly ordering: DestinationOrdering;
  /** How long ago the destination's circuit closed, in milliseconds; null unless it was just now. */
  readonly recoveredForMs?: number | null;
}

/** What a pump's window holds for one destination. */
export interface Lane<Row> {
  /** May go as soon as there is room. */
  readonly ready: Row[];
  /** By conversation, for each that has a row ready or on its way: those behind it. */
  readonly behind: Map<number, Row[]>;
  /** The highest number that was added: a lower one has to find its place. */
  lastId: number;
  /** Requests that it may have open now. */
  allowance: number;
  recoveredAtMs: number | undefined;
  heldCount: number;
  inFlightCount: number;
}

export function openLane<Row>(allowance: number): Lane<Row> {
  const counts = { lastId: 0, heldCount: 0, inFlightCount: 0 };
  return { ready: [], behind: new Map(), allowance, recoveredAtMs: undefined, ...counts };
}

export function queueRow<Row extends WindowRow>(lane: Lane<Row>, row: Row): void {
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

/**
 * A claim may bring a lower number than the one before, because rows become visible when their transactions commit: it
 * takes the place of a higher one of its conversation that is next but has not gone yet.
 */
function changePlaces<Row extends WindowRow>(lane: Lane<Row>, row: Row): Row {
  const index = lane.ready.findIndex((each) => each.conversationKey === row.conversationKey && each.id > row.id);
  return index < 0 ? row : lane.ready.splice(index, 1, row)[0]!;
}

/** The conversation of a row that was accepted goes on. */
export function letNextGo<Row extends WindowRow>(lane: Lane<Row>, row: Row): void {
  if (row.ordering === 'none') return;
  const behind = lane.behind.get(row.conversationKey);
  if (!behind) return;
  const next = behind.shift();
  if (next) lane.ready.push(next);
  else lane.behind.delete(row.conversationKey);
}

/** Takes out what is behind a row that has failed. */
export function takeBehind<Row extends WindowRow>(lane: Lane<Row>, row: Row): readonly Row[] {
  if (row.ordering === 'none') return [];
  const behind = lane.behind.get(row.conversationKey) ?? [];
  lane.behind.delete(row.conversationKey);
  return behind;
}

/**
 * Takes out all that has not gone. A conversation with a row ready has none on its way; the others keep their place for
 * the one that is.
 */
export function takeWaiting<Row extends WindowRow>(lane: Lane<Row>): readonly Row[] {
  const waiting = lane.ready.splice(0);
  for (const row of waiting.slice()) waiting.push(...takeBehind(lane, row));
  for (const behind of lane.behind.values()) waiting.push(...behind.splice(0));
  return waiting;
}
