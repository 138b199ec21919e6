import type { Knex } from 'knex';
import type { OwnerFunction } from '../core/owner-function.ts';
import { queryRows } from '../core/query-rows.ts';
import { type BatchBounds, deleteInBatches } from '../upkeep/delete-in-batches.ts';

/** The least that AUDIT_DAYS may be, less a day for clocks that differ. */
const LEAST_DAYS = 29;

/** Reads only the oldest entries: ids increase with the time. Returns false if the time was up first. */
export async function deleteOldAuditEntries(
  db: Knex,
  { cutoff, ...bounds }: BatchBounds & { readonly cutoff: Date },
): Promise<boolean> {
  return await deleteInBatches(bounds, async (limit) => {
    const [deleted] = await queryRows<{ count: number }>(
      db,
      'select delete_old_audit_entries(:cutoff, :limit) as count',
      { cutoff, limit },
    );
    return deleted!.count;
  });
}

/** The only way in which a process deletes entries of the audit log, so none deletes recent ones. */
export const deleteOldAuditEntriesFunction: OwnerFunction = {
  name: 'delete_old_audit_entries',
  parameters: 'cutoff timestamptz, max_count int',
  returns: 'int',
  body: `declare deleted_count int;
  begin
    if cutoff > now() - interval '${LEAST_DAYS} days' then raise 'Entries of the audit log are kept for ${LEAST_DAYS} days at least'; end if;
    delete from audit_entries where id in (
      select id from (select id, created_at from audit_entries order by id limit max_count) oldest
      where created_at < cutoff);
    get diagnostics deleted_count = row_count;
    return deleted_count;
  end`,
  callers: ['worker'],
};
