import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { type BatchBounds, deleteInBatches } from '../upkeep/delete-in-batches.ts';

/** Reads only the oldest entries: ids increase with the time. Returns false if the time was up first. */
export async function deleteOldAuditEntries(
  db: Knex,
  { cutoff, ...bounds }: BatchBounds & { readonly cutoff: Date },
): Promise<boolean> {
  return await deleteInBatches(bounds, async (limit) => {
    const deleted = await queryRows(
      db,
      `delete from audit_entries where id in (
         select id from (select id, created_at from audit_entries order by id limit :limit) oldest
         where created_at < :cutoff)
       returning 1`,
      { cutoff, limit },
    );
    return deleted.length;
  });
}
