import { claimSql } from './claims/claim-sql.ts';
import {
  type ClaimedDelivery,
  type ClaimedDestination,
  type DeliveryRow,
  toDelivery,
} from './claims/claimed-delivery.ts';
import type { HotPool } from '../core/hot-pool.ts';

export interface Claim {
  readonly deliveries: ClaimedDelivery[];
  /** Destinations that may have more pending rows. */
  readonly fullDestinationIds: ReadonlySet<number>;
  readonly isCut: boolean;
  /** Destinations with deliveries behind held conversations, which the pump parks. */
  readonly heldDestinationIds: readonly number[];
}

export interface ClaimRequest {
  readonly shard: number;
  readonly heldIds: readonly number[];
  readonly room: ReadonlyMap<number, number>;
  /** Optional. Rows held by the destinations of `room`. Default: none. */
  readonly heldCounts?: ReadonlyMap<number, number>;
  readonly defaultRoom: number;
  readonly maxRows: number;
}

/**
 * Reads the next pending rows of each busy destination, oldest first, for one shard by each request. Writes nothing: the
 * lease makes the pump the only reader, and rows stay pending until they are settled. Selects by status, never by "id
 * above the last one", because ids become visible out of order. Leaves out void deliveries (`endVoidDeliveries`).
 */
export async function claimDeliveries(pool: HotPool, requests: readonly ClaimRequest[]): Promise<Claim[]> {
  const rooms = requests.flatMap(({ shard, room, heldCounts }) =>
    Array.from(room, ([id, rows]) => ({ shard, id, rows, heldCount: heldCounts?.get(id) ?? 0 })),
  );
  const { rows } = await pool.query<ClaimRow | HeldRow>({
    name: 'claim-deliveries',
    text: claimSql,
    values: [
      requests.map(({ shard }) => shard),
      requests.flatMap(({ heldIds }) => heldIds),
      rooms.map(({ id }) => id),
      rooms.map(({ rows: room }) => room),
      requests.map(({ defaultRoom }) => defaultRoom),
      requests.map(({ maxRows }) => maxRows),
      rooms.map(({ heldCount }) => heldCount),
      rooms.map(({ shard }) => shard),
    ],
  });
  const found = Map.groupBy(rows, ({ shard }) => shard);
  return requests.map((request) => toClaim(found.get(request.shard) ?? [], request));
}

/** A destination whose first rows are all held has one row, without a delivery. */
type HeldRow = { id: null; shard: number; destination_id: number; row_count: number };

interface ClaimRow extends DeliveryRow {
  shard: number;
  /** Of the shard, with those that were left because of their size. */
  row_count: number;
  rank: number;
  /** More than `rank` if rows behind held conversations come before. */
  looked: number;
  /** Null unless this is the destination's first row. */
  destination: ClaimedDestination | null;
}

function toClaim(found: readonly (ClaimRow | HeldRow)[], request: ClaimRequest): Claim {
  const rows = found.filter((row) => row.id !== null);
  const deliveries: ClaimedDelivery[] = [];
  const counts = new Map<number, number>();
  const destinations = new Map(
    rows.flatMap((row) => (row.destination ? [[row.destination_id, row.destination] as const] : [])),
  );
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    counts.set(row.destination_id, (counts.get(row.destination_id) ?? 0) + 1);
    deliveries.push(toDelivery(row, destinations.get(row.destination_id)!));
  }
  const full = [...counts].filter(([id, count]) => count >= (request.room.get(id) ?? request.defaultRoom));
  const isCut = rows.length >= request.maxRows || found.length < (found[0]?.row_count ?? 0);
  const mayHaveMore = isCut ? [...counts.keys()] : full.map(([id]) => id);
  const held = found.filter((row) => row.id === null || row.looked > row.rank);
  const heldDestinationIds = [...new Set(held.map((row) => row.destination_id))];
  return { deliveries, fullDestinationIds: new Set(mayHaveMore), isCut, heldDestinationIds };
}
