import type { OwnerFunction } from '../core/owner-function.ts';

/** The least that AUDIT_DAYS may be, less a day for clocks that differ. */
const LEAST_DAYS = 29;

/**
 * The only way in which a process deletes entries of the audit log, so none deletes recent ones. Reads only the oldest:
 * ids increase with the time.
 */
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
