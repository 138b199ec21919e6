import type { Knex } from 'knex';
import {
  deliveryColumns,
  deliveryFromRow,
  deliveryJoins,
  type DeliveryRecord,
  type DeliveryRow,
} from './delivery-records.ts';

/**
 * Where a reader is in the order of changes: behind this delivery of this transaction. Numbers of transactions are
 * 64-bit, hence bigint.
 */
export interface ChangePosition {
  readonly xid: bigint;
  readonly id: number;
}

export interface DeliveryChanges {
  readonly channelId: number;
  readonly workspaceId: number;
  readonly after: ChangePosition;
  readonly limit: number;
}

export interface ChangedDelivery {
  readonly position: ChangePosition;
  readonly delivery: DeliveryRecord;
}

export interface ChangePage {
  readonly changes: readonly ChangedDelivery[];
  /** Everything below it is in sight: where the page is not full, a reader may go on from here. */
  readonly horizon: bigint;
}

/** The first transaction that may still be under way: whatever changes from now on has its number or a higher one. */
export async function readChangeHorizon(db: Knex): Promise<bigint> {
  const { rows } = await db.raw<{ rows: { horizon: string }[] }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
  );
  return BigInt(rows[0]!.horizon);
}

/**
 * Deliveries of a channel as they stand now, in the order of their last change. Rows of concurrent transactions become
 * visible in any order, so nothing is read of or above the oldest transaction that is under way: a reader that had
 * passed its number would never see what it commits. A row that changes twice between two reads is read once.
 */
export async function readDeliveryChanges(
  db: Knex,
  { channelId, workspaceId, after, limit }: DeliveryChanges,
): Promise<ChangePage> {
  const { rows } = await db.raw<{ rows: ((DeliveryRow & { xid: string }) | { id: null })[] & { horizon: string }[] }>(
    changesSql,
    { channelId, workspaceId, xid: String(after.xid), id: after.id, limit },
  );
  const changes = rows.flatMap((row) =>
    row.id === null
      ? []
      : [{ position: { xid: BigInt(row.xid), id: row.id }, delivery: deliveryFromRow(row) } satisfies ChangedDelivery],
  );
  return { changes, horizon: BigInt(rows[0]!.horizon) };
}

/** One row with the horizon alone where nothing has changed. */
const changesSql = `
with horizon as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as xmin),
page as materialized (
  select * from deliveries
  where channel_id = :channelId and workspace_id = :workspaceId
    and (xid, id) > (cast(:xid as xid8), cast(:id as bigint))
    and xid < (select xmin from horizon)
  order by xid, id
  limit :limit
),
shown as (
  select ${deliveryColumns}, d.xid::text as xid, d.xid as changed from page d ${deliveryJoins}
)
select shown.*, horizon.xmin::text as horizon from horizon left join shown on true order by shown.changed, shown.id`;
