import type { Knex } from 'knex';
import {
  deliveryColumns,
  deliveryFromRow,
  deliveryJoins,
  type DeliveryRecord,
  type DeliveryRow,
} from '../deliveries/records.ts';

/** A delivery of whichever organization, for staff. */
export interface StaffDelivery extends DeliveryRecord {
  readonly workspaceId: number;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly organizationName: string;
}

type StaffRow = DeliveryRow & {
  readonly workspace_id: number;
  readonly organization_id: number;
  readonly organization_public_id: string;
  readonly organization_name: string;
};

/** The deliveries with these numbers, in their order; those that there are not are left out. */
export async function listStaffDeliveries(db: Knex, ids: readonly number[]): Promise<StaffDelivery[]> {
  const { rows } = await db.raw<{ rows: StaffRow[] }>(
    `select ${deliveryColumns}, d.workspace_id, o.id as organization_id, o.public_id as organization_public_id,
       o.name as organization_name
     from unnest(cast(? as bigint[])) with ordinality as wanted (id, position)
     join deliveries d on d.id = wanted.id ${deliveryJoins}
     join organizations o on o.id = w.organization_id
     order by wanted.position`,
    [[...ids]],
  );
  return rows.map((row) => ({
    ...deliveryFromRow(row),
    workspaceId: row.workspace_id,
    organizationId: row.organization_id,
    organizationPublicId: row.organization_public_id,
    organizationName: row.organization_name,
  }));
}
