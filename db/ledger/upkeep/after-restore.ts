import type { Knex } from 'knex';
import { ledgerTransaction } from '../../core/ledger-transaction.ts';

/**
 * What a database needs that is not the one of the moment before: some of what was given out since its backup is known to
 * receivers and not to it, and a new cluster counts transactions anew, below those that its rows name. All of it may be
 * run again, and over rows that a process writes meanwhile.
 */

/** Receivers know deliveries and events by ids that are made of these numbers. */
const sequences = { events: 'events_id_seq', deliveries: 'deliveries_id_seq' } as const;
/** Bounds one statement. */
const BATCH_SIZE = 5_000;

/** Null where the numbers were moved ahead before and none was taken since. */
export type MovedIds = Readonly<Record<keyof typeof sequences, { readonly from: number; readonly to: number } | null>>;

/** Leaves out the next numbers of events and deliveries: they may have been given out. */
export async function moveIdsAhead(db: Knex, ahead: number): Promise<MovedIds> {
  return { events: await moveAhead(db, 'events', ahead), deliveries: await moveAhead(db, 'deliveries', ahead) };
}

/** A sequence that was set and not used since has not been called: that is how a second run knows of the first. */
async function moveAhead(db: Knex, of: keyof typeof sequences, ahead: number) {
  const sequence = sequences[of];
  const { rows } = await db.raw<{ rows: { last_value: number; is_called: boolean }[] }>(
    'select last_value, is_called from ??',
    [sequence],
  );
  const { last_value: from, is_called: isCalled } = rows[0]!;
  if (!isCalled && from > 1) return null;
  const to = from + ahead;
  await db.raw('select setval(?, ?, false)', [sequence, to]);
  return { from, to };
}

/** Shards whose pump has renewed its lease just now. */
export async function listHeldShards(db: Knex): Promise<{ shard: number; holder: string }[]> {
  return await db('shard_leases')
    .whereRaw('expires_at > clock_timestamp()')
    .orderBy('shard')
    .select<{ shard: number; holder: string }[]>('shard', 'holder');
}

/**
 * Gives deliveries that name a transaction of the future the newest one that is surely over, and returns how many: behind
 * those that name a past one, and among each other in the order of their numbers. A committed row that a statement sees
 * is of the future only where it came from another cluster.
 */
export async function showFutureDeliveries(db: Knex): Promise<number> {
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
  /** Null behind the last delivery. */
  last: number | null;
  shown: number;
}

/** Replays go by what had been committed when they were asked for: now, where that moment is of another cluster. */
export async function renewFutureSnapshots(db: Knex): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update replays set snapshot = pg_current_snapshot()
     where pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(pg_current_snapshot())`,
  );
  return rowCount;
}

const showSql = `
with page as materialized (select id from deliveries where id > ? order by id limit ?),
shown as (
  update deliveries d
  set xid = (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8
  from page p where d.id = p.id and d.xid >= pg_snapshot_xmax(pg_current_snapshot())
  returning d.id
)
select (select max(id) from page) as last, (select count(*)::int from shown) as shown`;
