import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import {
  deliveryColumns,
  deliveryFromRow,
  deliveryJoins,
  type DeliveryRecord,
  type DeliveryRow,
} from '../deliveries/records.ts';

export interface StaffDelivery extends DeliveryRecord {
  readonly workspaceId: number;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly organizationName: string;
}

type Owner = Omit<StaffDelivery, keyof DeliveryRecord>;

/** Keeps the order and ignores unknown ids. */
export async function listStaffDeliveries(db: Knex, ids: readonly number[]): Promise<StaffDelivery[]> {
  const rows = await queryRows<DeliveryRow & Owner>(
    db,
    `select ${deliveryColumns}, d.workspace_id as "workspaceId", o.id as "organizationId",
       o.public_id as "organizationPublicId", o.name as "organizationName"
     from unnest(cast(:ids as bigint[])) with ordinality as wanted (id, position)
     join deliveries d on d.id = wanted.id ${deliveryJoins}
     join organizations o on o.id = w.organization_id
     order by wanted.position`,
    { ids },
  );
  return rows.map((row) => ({
    ...deliveryFromRow(row),
    workspaceId: row.workspaceId,
    organizationId: row.organizationId,
    organizationPublicId: row.organizationPublicId,
    organizationName: row.organizationName,
  }));
}
