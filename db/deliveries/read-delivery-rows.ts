import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { type DeliveryKinds, kindBindings, ofKindsSql } from './filters.ts';
import { deliveryColumns, deliveryFromRow, deliveryJoins, type DeliveryRecord, type DeliveryRow } from './records.ts';

/** A delivery whose record is to be read. */
export interface FoundDelivery {
  readonly id: number;
  readonly eventId: number;
  /** Optional. Only of pages. */
  readonly createdAt?: Date;
}

export interface MoreOfRow {
  readonly columns: string;
  readonly joins: string;
}

/**
 * Reads records in the given order. The statement has the numbers as parameters, so PostgreSQL plans only the partitions
 * that contain them. A join to the statement that finds them would plan all partitions of each table.
 */
export async function readDeliveryRows<Row extends DeliveryRow>(
  db: Knex,
  found: readonly FoundDelivery[],
  { columns, joins }: MoreOfRow = { columns: '', joins: '' }, // Optional.
): Promise<Row[]> {
  if (found.length === 0) return [];
  const rows = await queryRows<Row>(
    db,
    `select ${deliveryColumns} ${columns} from deliveries d ${deliveryJoins} ${joins}
     where d.id = any (cast(:ids as bigint[])) and e.id = any (cast(:eventIds as bigint[]))`,
    { ids: found.map(({ id }) => id), eventIds: [...new Set(found.map(({ eventId }) => eventId))] },
  );
  const rowById = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ id }) => rowById.get(id) ?? []);
}

export interface DeliveriesOf extends DeliveryKinds {
  /** Optional. Null for all workspaces. */
  readonly workspaceId: number | null;
}

/** Keeps the order and omits deliveries that are unknown or excluded. */
export async function findDeliveries(
  db: Knex,
  ids: readonly number[],
  { workspaceId, ...kinds }: DeliveriesOf,
): Promise<FoundDelivery[]> {
  if (ids.length === 0) return [];
  const rows = await queryRows<FoundDelivery>(
    db,
    `select d.id, d.event_id as "eventId" from deliveries d
     where d.id = any (cast(:ids as bigint[]))
       and (cast(:workspaceId as bigint) is null or d.workspace_id = cast(:workspaceId as bigint)) and ${ofKindsSql}`,
    { ids, workspaceId, ...kindBindings(kinds) },
  );
  const foundById = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => foundById.get(id) ?? []);
}

export async function findDeliveryRecord(
  db: Knex,
  { id, workspaceId }: { id: number; workspaceId: number },
): Promise<DeliveryRecord | undefined> {
  const [row] = await readDeliveryRows<DeliveryRow>(db, await findDeliveries(db, [id], { workspaceId }));
  return row && deliveryFromRow(row);
}
