import { type ClaimedDelivery, type ClaimedDestination, type DeliveryRow, toDelivery } from './claimed-delivery.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { debouncedSql, MAX_SCANNED } from './debounced-sql.ts';

/** What a pump sends of its debounced destinations. */
export interface DebouncedRequest {
  readonly shard: number;
  readonly heldIds: readonly number[];
  readonly destinations: readonly DebouncedDestination[];
  /** The last conversation may exceed it. */
  readonly maxRows: number;
}

export interface DebouncedDestination {
  readonly id: number;
  /** How many requests the pump may hold in addition. */
  readonly room: number;
  /** Optional. How many requests the pump holds. Default: none. */
  readonly heldCount?: number | undefined;
  /** The conversations of which the pump holds a request. */
  readonly busyKeys: readonly number[];
}

export interface DebouncedClaim {
  /** Each with those that follow it in its request. */
  readonly deliveries: ClaimedDelivery[];
  /** Those without a result are not debounced, may not be sent to, or have left the shard. */
  readonly destinations: readonly ScannedDestination[];
  /** Of the statement. */
  readonly durationMs: number;
}

export interface ScannedDestination {
  readonly id: number;
  /** Deliveries that the statement has read. */
  readonly scannedCount: number;
  /** Whether deliveries wait that no request in flight has, or that later ones must wait for. */
  readonly isWaiting: boolean;
  /** Whether deliveries behind held conversations hide others. */
  readonly isHidden: boolean;
  /** Whether more is due than the request had room for. */
  readonly isCut: boolean;
  /** Until the next conversation is due. Null without one. */
  readonly nextInMs: number | null;
}

/** Reads the conversations that are due, as one request each. Writes nothing: the windows follow from the rows. */
export async function claimDebounced(pool: HotPool, request: DebouncedRequest): Promise<DebouncedClaim> {
  const { shard, heldIds, destinations, maxRows } = request;
  const beganMs = performance.now();
  const { rows } = await pool.query<DebouncedRow | EmptyRow>({
    name: 'claim-debounced',
    text: debouncedSql,
    values: [
      [shard],
      heldIds,
      destinations.map(({ id }) => id),
      destinations.map(({ room }) => room),
      destinations.map(({ busyKeys }) => `{${busyKeys.join()}}`),
      maxRows,
      destinations.map(({ heldCount = 0 }) => heldCount),
    ],
  });
  const durationMs = performance.now() - beganMs;
  const byDestination = [...Map.groupBy(rows, (row) => row.destination_id).values()];
  return { deliveries: byDestination.flatMap(toRequests), destinations: byDestination.map(toDestination), durationMs };
}

interface DestinationColumns {
  destination_id: number;
  /** Null unless this is the destination's first row. */
  destination: ClaimedDestination | null;
  scanned_count: number;
  open_count: number;
  due_count: number;
  next_in_ms: number | null;
  has_holds: boolean;
}

type DebouncedRow = DestinationColumns & DeliveryRow & { first_id: number };
/** A destination without a due conversation has one row. */
type EmptyRow = DestinationColumns & { id: null };

const isFound = (row: DebouncedRow | EmptyRow): row is DebouncedRow => row.id !== null;

function toRequests(rows: readonly (DebouncedRow | EmptyRow)[]): ClaimedDelivery[] {
  const { destination } = rows[0]!;
  const groups = Map.groupBy(rows.filter(isFound), (row) => row.first_id).values();
  return [...groups].map((group) => {
    const [first, ...following] = group.map((row) => toDelivery(row, destination!)) as [ClaimedDelivery];
    return { ...first, following };
  });
}

function toDestination(rows: readonly (DebouncedRow | EmptyRow)[]): ScannedDestination {
  const { destination_id, scanned_count, open_count, due_count, next_in_ms, has_holds } = rows[0]!;
  return {
    id: destination_id,
    scannedCount: scanned_count,
    isWaiting: scanned_count > 0 || has_holds,
    isHidden: scanned_count === MAX_SCANNED && open_count < scanned_count,
    isCut: rows.filter(isFound).length < due_count,
    nextInMs: next_in_ms,
  };
}
