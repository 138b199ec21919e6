import type { Knex } from 'knex';
import { type DeliveryKinds, kindBindings, ofKindsSql } from './filters.ts';
import { deliveryColumns, deliveryFromRow, deliveryJoins, type DeliveryRecord, type DeliveryRow } from './records.ts';
import { horizonSql } from './horizon.ts';
import { channelsOfScopeSql } from './scope.ts';

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
 * Returns deliveries in the order of their last change. Reads only below the oldest running transaction of this database: transactions
 * become visible out of order, and a reader that has passed one would miss its rows. Filters apply after the page is
 * cut, so pages may be empty.
 */
export async function readDeliveryChanges(db: Knex, changes: DeliveryChanges): Promise<ChangePage> {
  const { channelId, workspaceId, after, limit, ...kinds } = changes;
  const { rows } = await db.raw<{ rows: ChangeRow[] }>(changesSql, {
    channelId: channelId ?? null,
    workspaceId,
    xid: String(after.xid),
    id: after.id,
    ...kindBindings(kinds),
    limit,
  });
  const { horizon, last_xid: lastXid, last_id: lastId, looked_at: lookedAt } = rows[0]!;
  const last = lastXid === null || lastId === null ? after : { xid: BigInt(lastXid), id: lastId };
  const isFull = lookedAt === limit;
  return {
    changes: rows.flatMap((row) =>
      row.id === null ? [] : [{ position: { xid: BigInt(row.xid), id: row.id }, delivery: deliveryFromRow(row) }],
    ),
    isFull,
    // Everything below the horizon is visible, so the position also advances without changes.
    next: !isFull && BigInt(horizon) > last.xid ? { xid: BigInt(horizon), id: 0 } : last,
  };
}

type ChangeRow = ((DeliveryRow & { readonly xid: string }) | { readonly id: null }) & {
  readonly horizon: string;
  readonly last_xid: string | null;
  readonly last_id: number | null;
  readonly looked_at: number;
};

const isNext = `(d.xid, d.id) > (cast(:xid as xid8), cast(:id as bigint))
      and d.xid < (select xmin from horizon)`;

/**
 * Reads only channels whose next change is among the first `:limit`. An empty page is one row with only the position.
 */
const changesSql = `
with horizon as materialized (select ${horizonSql} as xmin),
heads as materialized (
  select c.id as channel_id from channels c
  cross join lateral (
    select d.xid, d.id from deliveries d where d.channel_id = c.id and ${isNext} order by d.xid, d.id limit 1
  ) head
  where ${channelsOfScopeSql}
  order by head.xid, head.id limit :limit
),
page as materialized (
  select changed.xid, changed.id from heads
  cross join lateral (
    select d.xid, d.id from deliveries d where d.channel_id = heads.channel_id and ${isNext}
    order by d.xid, d.id limit :limit
  ) changed
  order by changed.xid, changed.id limit :limit
),
place as (
  select looked_at, last.xid::text as last_xid, last.id as last_id from (select count(*)::int as looked_at from page) counted
  left join (select xid, id from page order by xid desc, id desc limit 1) last on true
),
shown as (
  select ${deliveryColumns}, d.xid::text as xid, d.xid as changed
  from page join deliveries d on d.id = page.id ${deliveryJoins}
  where d.workspace_id = :workspaceId and ${ofKindsSql}
)
select shown.*, horizon.xmin::text as horizon, place.*
from horizon cross join place left join shown on true order by shown.changed, shown.id`;
