import type { Knex } from 'knex';
import { findDeliveries, readDeliveryRows } from '../deliveries/read-delivery-rows.ts';
import { deliveryFromRow, type DeliveryRecord, type DeliveryRow } from '../deliveries/records.ts';

export interface StaffDelivery extends DeliveryRecord {
  readonly workspaceId: number;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly organizationName: string;
}

type Owner = Omit<StaffDelivery, keyof DeliveryRecord>;

/** Keeps the order and ignores unknown ids. */
export async function listStaffDeliveries(db: Knex, ids: readonly number[]): Promise<StaffDelivery[]> {
  const found = await findDeliveries(db, ids, { workspaceId: null });
  const rows = await readDeliveryRows<DeliveryRow & Owner>(db, found, {
    columns: `, d.workspace_id as "workspaceId", o.id as "organizationId",
       o.public_id as "organizationPublicId", o.name as "organizationName"`,
    joins: 'join organizations o on o.id = w.organization_id',
  });
  return rows.map((row) => ({
    ...deliveryFromRow(row),
    workspaceId: row.workspaceId,
    organizationId: row.organizationId,
    organizationPublicId: row.organizationPublicId,
    organizationName: row.organizationName,
  }));
}
