import type { OwnerFunction } from './owner-function.ts';

/**
 * The transactions of the other sessions of this database. A role sees only its own in `pg_stat_activity`. The owner is
 * a member of the processes' roles and sees theirs.
 */
export const runningTransactionsFunction: OwnerFunction = {
  name: 'running_transactions',
  returns: 'table (began_at timestamptz, writes boolean)',
  body: `begin
    return query select xact_start, backend_xid is not null from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and xact_start is not null;
  end`,
  callers: ['api', 'worker'],
};
