import type { Knex } from 'knex';
import { type DeliveryPage, findPage } from './find-page.ts';
import { readDeliveryRows } from './read-delivery-rows.ts';
import { deliveryFromRow, type DeliveryRecord, type DeliveryRow } from './records.ts';
import { wasHereSql } from './scope.ts';

export async function findChannelOfDeliveries(
  db: Knex,
  { workspaceId, publicId }: { workspaceId: number; publicId: string },
): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `select c.id from channels c where c.public_id = :publicId and ${wasHereSql}`,
    { workspaceId, publicId },
  );
  return rows[0]?.id;
}

/** Finds the page first and reads its records afterwards. */
export async function listDeliveryRecords(db: Knex, page: DeliveryPage): Promise<DeliveryRecord[]> {
  const rows = await readDeliveryRows<DeliveryRow>(db, await findPage(db, page));
  return rows.map(deliveryFromRow);
}
