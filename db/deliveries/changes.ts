import type { Knex } from 'knex';
import { type DeliveryKinds, kindBindings, ofKindsSql } from './filters.ts';
import { deliveryColumns, deliveryFromRow, deliveryJoins, type DeliveryRecord, type DeliveryRow } from './records.ts';
import { channelsOfScopeSql } from './scope.ts';

/**
 * Where a reader is in the order of changes: behind this delivery of this transaction. Numbers of transactions are
 * 64-bit, hence bigint.
 */
export interface ChangePosition {
  readonly xid: bigint;
  readonly id: number;
}

export interface DeliveryChanges extends DeliveryKinds {
  /** All channels of the workspace where left out. */
  readonly channelId?: number | undefined;
  readonly workspaceId: number;
  readonly after: ChangePosition;
  /** Changes that are looked at; those of other kinds or of another workspace are among them. */
  readonly limit: number;
}

export interface ChangedDelivery {
  readonly position: ChangePosition;
  readonly delivery: DeliveryRecord;
}

export interface ChangePage {
  readonly changes: readonly ChangedDelivery[];
  /** Where a reader goes on: behind all that was looked at. */
  readonly next: ChangePosition;
  /** There may be more at once. */
  readonly isFull: boolean;
}

/** The first transaction that may still be under way: whatever changes from now on has its number or a higher one. */
export async function readChangeHorizon(db: Knex): Promise<bigint> {
  const { rows } = await db.raw<{ rows: { horizon: string }[] }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
  );
  return BigInt(rows[0]!.horizon);
}

/**
 * Deliveries of a channel or a workspace as they stand now, in the order of their last change. Rows of concurrent
 * transactions become visible in any order, so nothing is read of or above the oldest transaction that is under way: a
 * reader that had passed its number would never see what it commits. A row that changes twice between two reads is read
 * once. The kinds are judged after the page is cut: rare ones cost no more than all, in pages that may be empty.
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
    // Everything below the horizon is in sight, so that a quiet reader's place moves on too.
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
 * One row with the place alone where there is nothing to show. A workspace is merged from its channels, of which those whose
 * next change is among the first are read: the others can have none on this page.
 */
const changesSql = `
with horizon as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as xmin),
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
