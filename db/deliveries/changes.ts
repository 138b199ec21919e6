import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { type DeliveryKinds, channelsOfScopeSql } from './filters.ts';
import { horizonSql } from './horizon.ts';
import { type DeliveryRecord, findDeliveries, readDeliveries } from './records.ts';

/** Transaction ids need 64 bits. */
export interface ChangePosition {
  readonly xid: bigint;
  readonly id: number;
}

export interface DeliveryChanges extends DeliveryKinds {
  readonly channelId?: number | undefined;
  readonly workspaceId: number;
  readonly after: ChangePosition;
  /** Includes changes that the filters exclude. */
  readonly limit: number;
}

export interface ChangedDelivery {
  readonly position: ChangePosition;
  readonly delivery: DeliveryRecord;
}

export interface ChangePage {
  readonly changes: readonly ChangedDelivery[];
  readonly next: ChangePosition;
  readonly isFull: boolean;
}

/** Later changes have this transaction id or a higher one. */
export async function readChangeHorizon(db: Knex): Promise<bigint> {
  const { rows } = await db.raw<{ rows: { horizon: string }[] }>(`select ${horizonSql}::text as horizon`);
  return BigInt(rows[0]!.horizon);
}

/**
 * Returns deliveries in the order of their last change. Reads only below the oldest running transaction of this
 * database: transactions become visible out of order, and a reader that has passed one would miss its rows. Filters
 * apply after the page is cut, so pages may be empty. A delivery that changes again while the page is read appears as it
 * is then, and once more with its next position.
 */
export async function readDeliveryChanges(db: Knex, changes: DeliveryChanges): Promise<ChangePage> {
  const { channelId, workspaceId, after, limit, ...kinds } = changes;
  const from = { xid: String(after.xid), id: after.id, limit };
  const [heads] = await queryRows<Heads>(db, headsSql, { ...from, workspaceId, channelId: channelId ?? null });
  const { horizon, channelIds } = heads!;
  const page = await readPositions(db, { ...from, horizon, channelIds });
  const found = await findDeliveries(db, [...page.keys()], { workspaceId, ...kinds });
  const deliveries = await readDeliveries(db, found);
  const isFull = page.size === limit;
  const last = [...page.values()].at(-1) ?? after;
  return {
    changes: deliveries.map((delivery) => ({ position: page.get(delivery.id)!, delivery })),
    isFull,
    // Everything below the horizon is visible, so the position also advances without changes.
    next: !isFull && BigInt(horizon) > last.xid ? { xid: BigInt(horizon), id: 0 } : last,
  };
}

interface Heads {
  readonly horizon: string;
  /** The driver returns the numbers of an array as text. */
  readonly channelIds: readonly string[];
}

const isNext = (horizon: string): string =>
  `(d.xid, d.id) > (cast(:xid as xid8), cast(:id as bigint)) and d.xid < ${horizon}`;

/**
 * Channels whose next change is among the first `:limit`. Most reads find none and stop here: a statement that also read
 * the records would spend its time on the plan.
 */
const headsSql = `
with horizon as materialized (select ${horizonSql} as xmin)
select horizon.xmin::text as horizon, array(
  select c.id from channels c
  cross join lateral (
    select d.xid, d.id from deliveries d where d.channel_id = c.id and ${isNext('horizon.xmin')} order by d.xid, d.id limit 1
  ) head
  where ${channelsOfScopeSql}
  order by head.xid, head.id limit :limit
) as "channelIds"
from horizon`;

interface Positions {
  readonly xid: string;
  readonly id: number;
  readonly limit: number;
  readonly horizon: string;
  readonly channelIds: readonly string[];
}

/** In order, by delivery. */
async function readPositions(db: Knex, positions: Positions): Promise<Map<number, ChangePosition>> {
  if (positions.channelIds.length === 0) return new Map();
  const rows = await queryRows<{ xid: string; id: number }>(db, positionsSql, { ...positions });
  return new Map(rows.map(({ xid, id }) => [id, { xid: BigInt(xid), id }]));
}

const positionsSql = `
select changed.xid::text as xid, changed.id from unnest(cast(:channelIds as bigint[])) as channel (id)
cross join lateral (
  select d.xid, d.id from deliveries d where d.channel_id = channel.id and ${isNext('cast(:horizon as xid8)')}
  order by d.xid, d.id limit :limit
) changed
order by changed.xid, changed.id limit :limit`;
