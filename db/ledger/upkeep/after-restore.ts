import type { Knex } from 'knex';
import { isLiveSql } from '../shards/shard-leases.ts';
import { addPeriodsUpTo, lockPeriods } from './ledger-periods.ts';
import { ledgerTransaction } from '../../core/ledger-transaction.ts';

/**
 * Repairs after a restore: receivers may know ids issued after the backup, and a new cluster counts transaction ids
 * from a lower value. All functions may run repeatedly and during writes.
 */

const sequences = { events: 'events_id_seq', deliveries: 'deliveries_id_seq' } as const;
const BATCH_SIZE = 5_000;

export type MovedIds = Readonly<Record<keyof typeof sequences, { readonly from: number; readonly to: number } | null>>;

/** Upkeep may begin the next period at the same time. Without the lock, the lower value could win. */
export async function moveIdsAhead(trx: Knex.Transaction, ahead: number): Promise<MovedIds> {
  await lockPeriods(trx);
  const moved = {
    events: await moveAhead(trx, 'events', ahead),
    deliveries: await moveAhead(trx, 'deliveries', ahead),
  };
  if (moved.events || moved.deliveries) await trx.raw(moveOthersSql, [ahead]);
  return moved;
}

/** Workflows and audit records know ids of other tables. */
const moveOthersSql = `
select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ?::bigint)
from pg_sequences
where schemaname = current_schema() and data_type = 'bigint'::regtype
  and sequencename not in ('${sequences.events}', '${sequences.deliveries}')`;

/** A sequence above 1 with `is_called` false has not been used since an earlier run. */
async function moveAhead(db: Knex, of: keyof typeof sequences, ahead: number) {
  const sequence = sequences[of];
  const { rows } = await db.raw<{ rows: { last_value: number; is_called: boolean }[] }>(
    'select last_value, is_called from ??',
    [sequence],
  );
  const { last_value: from, is_called: isCalled } = rows[0]!;
  if (!isCalled && from > 1) return null;
  const to = from + ahead;
  await addPeriodsUpTo(db, to);
  await db.raw('select setval(?, ?, false)', [sequence, to]);
  return { from, to };
}

/** Returns the holders of those that run a pump. */
export async function listLiveWorkers(db: Knex): Promise<string[]> {
  return await db('workers').whereRaw(isLiveSql('seen_at')).orderBy('holder').pluck('holder');
}

/**
 * Assigns the id of its own transactions to deliveries with a future one, which only another cluster can have issued.
 * A lower id could be below the position of a reader, who would then miss the delivery.
 */
export async function lowerFutureTransactionIds(db: Knex): Promise<number> {
  let count = 0;
  for (let after: number | null = 0; after !== null;) {
    const from: number = after;
    const { rows } = await ledgerTransaction(db, (trx) => trx.raw<{ rows: Shown[] }>(showSql, [from, BATCH_SIZE]));
    count += rows[0]!.shown;
    after = rows[0]!.last;
  }
  return count;
}

interface Shown {
  last: number | null;
  shown: number;
}

export async function renewFutureSnapshots(db: Knex): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update replays set snapshot = pg_current_snapshot()
     where pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(pg_current_snapshot())`,
  );
  return rowCount;
}

/** An erasure waits until the transactions before its own have ended. */
export async function lowerFutureErasures(db: Knex): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    'update erasures set xid = pg_current_xact_id() where xid >= pg_snapshot_xmax(pg_current_snapshot())',
  );
  return rowCount;
}

const showSql = `
with page as materialized (select id from deliveries where id > ? order by id limit ?),
shown as (
  update deliveries d
  set xid = pg_current_xact_id()
  from page p where d.id = p.id and d.xid >= pg_snapshot_xmax(pg_current_snapshot())
  returning d.id
)
select (select max(id) from page) as last, (select count(*)::int from shown) as shown`;
