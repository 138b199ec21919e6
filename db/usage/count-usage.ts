import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { horizonSql } from '../deliveries/horizon.ts';
import { type CountedUsage, type UsageSource, usageSources } from './usage-sources.ts';

/**
 * Counts the rows of the ledger and of the outbound log into `usage_days`. The counts of a slice and the mark of its
 * source move in one transaction, so each row is counted once, however often this is interrupted or runs at once.
 *
 * Rows are committed out of order. A bound is therefore taken first, and rows are counted up to it only when all
 * transactions that could still commit a row below it have ended.
 */

export interface CountUsageOptions {
  /** Optional. Rows of one transaction. */
  readonly sliceRows?: number;
  /** Optional. How long a statement may hold a number before its transaction has an id. Default: a minute. */
  readonly settledMs?: number;
  /** Optional. Default: never. */
  readonly isTimeUp?: () => boolean;
}

const SLICE_ROWS = 20_000;
/** No statement runs longer than this. */
const SETTLED_MS = 60_000;
/** A worker that was stopped for a day reads a day of changes at once. */
const READ_TIMEOUT = '5min';

interface Mark {
  readonly source: UsageSource;
  readonly countedTo: number;
  readonly nextTo: number | null;
  readonly isFinal: boolean;
}

/** Returns true if all sources are counted up to a bound of at most a few minutes ago. */
export async function countUsage(db: Knex, options: CountUsageOptions = {}): Promise<boolean> {
  const { isTimeUp = () => false } = options;
  for (const mark of await readMarks(db, options)) {
    if (mark.isFinal && !(await countSource(db, { mark, ...options, isTimeUp }))) return false;
    await takeBound(db, mark.source);
  }
  return true;
}

async function readMarks(db: Knex, { settledMs = SETTLED_MS }: CountUsageOptions): Promise<Mark[]> {
  return await queryRows<Mark>(
    db,
    `select source, counted_to as "countedTo", next_to as "nextTo",
       coalesce(next_at <= clock_timestamp() - :settledMs * interval '1 millisecond' and next_xid <= ${horizonSql}, false)
         as "isFinal"
     from usage_marks order by source`,
    { settledMs },
  );
}

interface CountSource extends CountUsageOptions {
  readonly mark: Mark;
  readonly isTimeUp: () => boolean;
}

/** Returns false if rows below the bound remain. */
async function countSource(db: Knex, { mark, sliceRows = SLICE_ROWS, isTimeUp }: CountSource): Promise<boolean> {
  const { source } = mark;
  const { endSql, countSql } = usageSources[source];
  const end = mark.nextTo!;
  let from = mark.countedTo;
  while (from < end) {
    if (isTimeUp()) return false;
    const [slice] = await queryRows<{ to: number }>(db, endSql, { from, end, limit: sliceRows });
    const { to } = slice!;
    const counts = await readSlice(db, { countSql, from, to });
    const isCounted = await db.transaction(async (trx) => {
      if (!(await moveMark(trx, { source, from, to }))) return false;
      await addUsage(trx, counts);
      return true;
    });
    if (!isCounted) return false; // another worker counts
    from = to;
  }
  return true;
}

interface Slice {
  readonly countSql: string;
  readonly from: number;
  readonly to: number;
}

/** Apart from the transaction that writes, because streams wait for the oldest one that has an id. */
async function readSlice(db: Knex, { countSql, from, to }: Slice): Promise<CountedUsage[]> {
  return await db.transaction(async (trx) => {
    await trx.raw(`set local enable_seqscan = off; set local statement_timeout = '${READ_TIMEOUT}'`);
    return await queryRows<CountedUsage>(trx, countSql, { from, to });
  });
}

interface MovedMark {
  readonly source: UsageSource;
  readonly from: number;
  readonly to: number;
}

/** A concurrent count waits for the row and then finds another mark. */
async function moveMark(trx: Knex, { source, from, to }: MovedMark): Promise<boolean> {
  const moved = await trx.raw<{ rowCount: number }>(
    'update usage_marks set counted_to = :to where source = :source and counted_to = :from',
    { source, from, to },
  );
  return moved.rowCount > 0;
}

async function addUsage(trx: Knex, counts: readonly CountedUsage[]): Promise<void> {
  if (counts.length === 0) return;
  await trx.raw(
    `insert into usage_days (day, organization_id, workspace_id, channel_id, events, deliveries, attempts, sends, publishes)
     select c.day, w.organization_id, c.workspace_id, c.channel_id, c.events, c.deliveries, c.attempts, c.sends, c.publishes
     from jsonb_to_recordset(cast(:counts as jsonb)) as c (day date, workspace_id bigint, channel_id bigint, events bigint,
       deliveries bigint, attempts bigint, sends bigint, publishes bigint)
     join workspaces w on w.id = c.workspace_id
     order by w.organization_id, c.day, c.workspace_id, c.channel_id
     on conflict (organization_id, day, workspace_id, channel_id) do update set
       events = usage_days.events + excluded.events,
       deliveries = usage_days.deliveries + excluded.deliveries,
       attempts = usage_days.attempts + excluded.attempts,
       sends = usage_days.sends + excluded.sends,
       publishes = usage_days.publishes + excluded.publishes`,
    { counts: JSON.stringify(counts.map((count) => ({ ...nothing, ...count }))) },
  );
}

const nothing = { events: 0, deliveries: 0, attempts: 0, sends: 0, publishes: 0 };

/**
 * Takes the next bound once the present one is reached. Rows of transactions that began before the bound are below it,
 * except for those that had no number for up to a minute. `earlier_attempts` ends at its only bound. Transaction ids of
 * a restored cluster are lower; the marks follow them.
 */
async function takeBound(db: Knex, source: UsageSource): Promise<void> {
  const { boundSql } = usageSources[source];
  if (boundSql === undefined) return;
  await db.raw(
    `update usage_marks set counted_until = coalesce(next_at - interval '1 minute', counted_until),
       counted_to = least(counted_to, bound.number), next_to = bound.number,
       next_xid = pg_snapshot_xmax(pg_current_snapshot()), next_at = clock_timestamp()
     from (select (${boundSql}) as number) as bound
     where source = :source and (next_to is null or counted_to >= next_to
       or next_xid > pg_snapshot_xmax(pg_current_snapshot()))`,
    { source },
  );
}
