/**
 * Transactions of other databases of the cluster. A transaction holds a lock on its id, the lock names the process, and
 * a process stays in its database. Prepared transactions have no process and are listed apart.
 */
const foreignSql = `
select lock.transactionid from pg_locks lock join pg_stat_activity holder on holder.pid = lock.pid
where lock.locktype = 'transactionid' and lock.mode = 'ExclusiveLock' and lock.granted
  and holder.datid <> (select oid from pg_database where datname = current_database())
union all select transaction from pg_prepared_xacts where database <> current_database()`;

/**
 * The lowest transaction id that may still change the ledger for a reader of this snapshot. `pg_snapshot_xmin` would
 * also wait for transactions of other databases, which can take hours. A transaction that has ended since the snapshot
 * is unknown and counts. A standby does not list running transactions, so there it is `pg_snapshot_xmin`.
 */
export const horizonSql = `(
  select case when pg_is_in_recovery() then pg_snapshot_xmin(snapshot) else coalesce((
    select running.xid from pg_snapshot_xip(snapshot) as running (xid)
    where cast(running.xid as xid) not in (${foreignSql})
    order by running.xid limit 1
  ), pg_snapshot_xmax(snapshot)) end
  from pg_current_snapshot() as snapshot)`;

/** Age of the oldest transaction that holds the horizon back; 0 if none does. */
export const horizonAgeSql = `
select coalesce(greatest(extract(epoch from clock_timestamp() - min(began_at)), 0), 0)::float8 as seconds
from (
  select began_at from running_transactions() where writes
  union all select prepared from pg_prepared_xacts where database = current_database()
) as writers`;
