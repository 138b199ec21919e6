import type { Knex } from 'knex';
import { type DeliveryRecord, findDeliveries, readDeliveries } from '../deliveries/records.ts';

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
  return await readDeliveries<Owner>(db, found, {
    columns: `, d.workspace_id as "workspaceId", o.id as "organizationId",
       o.public_id as "organizationPublicId", o.name as "organizationName"`,
    joins: 'join organizations o on o.id = w.organization_id',
  });
}
