import type { Knex } from 'knex';
import { queryRows, queryRowsWithin } from '../core/query-rows.ts';
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
/** A slice has at least one channel, with all of its attempts since the last count. */
const READ_TIMEOUT_MS = 15 * 60_000;

interface Mark {
  readonly source: UsageSource;
  readonly countedTo: number;
  readonly nextTo: number | null;
  readonly isFinal: boolean;
  readonly channelId: number;
  readonly revision: number;
}

/**
 * Returns true if all sources are counted up to a bound of at most a few minutes ago. A source that cannot be counted
 * does not stop the others; the first error is thrown after them.
 */
export async function countUsage(db: Knex, options: CountUsageOptions = {}): Promise<boolean> {
  const { isTimeUp = () => false } = options;
  const errors: unknown[] = [];
  let isAll = true;
  for (const mark of await readMarks(db, options)) {
    try {
      const isCounted = !mark.isFinal || (await countSource(db, { mark, ...options, isTimeUp }));
      if (isCounted) await takeBound(db, mark.source);
      else isAll = false;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return isAll;
}

async function readMarks(db: Knex, { settledMs = SETTLED_MS }: CountUsageOptions): Promise<Mark[]> {
  return await queryRows<Mark>(
    db,
    `select source, counted_to as "countedTo", next_to as "nextTo", at_channel_id as "channelId", revision,
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
  const end = mark.nextTo!;
  let { countedTo: from, channelId, revision } = mark;
  while (from < end) {
    if (isTimeUp()) return false;
    const slice = await readSlice(db, { source, from, end, channelId, limit: sliceRows });
    const isCounted = await db.transaction(async (trx) => {
      if (!(await moveMark(trx, { source, revision, ...slice }))) return false;
      await addUsage(trx, slice.counts);
      return true;
    });
    if (!isCounted) return false; // another worker counts
    from = slice.to;
    channelId = slice.channelId;
    revision++;
  }
  return true;
}

interface SliceStart {
  readonly source: UsageSource;
  readonly from: number;
  readonly end: number;
  readonly channelId: number;
  readonly limit: number;
}

interface Position {
  readonly to: number;
  readonly channelId: number;
}

interface CountedSlice extends Position {
  readonly counts: readonly CountedUsage[];
}

/** Apart from the transaction that writes, because streams wait for the oldest one that has an id. */
async function readSlice(db: Knex, { source, ...start }: SliceStart): Promise<CountedSlice> {
  const { endSql, countSql } = usageSources[source];
  return await db.transaction(async (trx) => {
    await trx.raw('set local enable_seqscan = off');
    const read = { bindings: { ...start }, timeoutMs: READ_TIMEOUT_MS };
    const [position] = await queryRowsWithin<Position>(trx, { ...read, sql: endSql });
    const { to, channelId } = position!;
    const bindings = { ...start, to, toChannelId: channelId };
    const counts = await queryRowsWithin<CountedUsage>(trx, { ...read, sql: countSql, bindings });
    return { to, channelId, counts };
  });
}

interface MovedMark extends Position {
  readonly source: UsageSource;
  readonly revision: number;
}

/** A concurrent count waits for the row and then finds another revision. */
async function moveMark(trx: Knex, { source, revision, to, channelId }: MovedMark): Promise<boolean> {
  const moved = await trx.raw<{ rowCount: number }>(
    `update usage_marks set counted_to = :to, at_channel_id = :channelId, revision = revision + 1
     where source = :source and revision = :revision`,
    { source, revision, to, channelId },
  );
  return moved.rowCount > 0;
}

export async function addUsage(trx: Knex, counts: readonly CountedUsage[]): Promise<void> {
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
 * except for those that had no number for up to a minute. Transaction ids of a restored cluster are lower; the marks
 * follow them.
 */
async function takeBound(db: Knex, source: UsageSource): Promise<void> {
  const { boundSql } = usageSources[source];
  await db.raw(
    `update usage_marks set counted_until = coalesce(next_at - interval '1 minute', counted_until),
       counted_to = least(counted_to, bound.number), at_channel_id = 0, revision = revision + 1, next_to = bound.number,
       next_xid = pg_snapshot_xmax(pg_current_snapshot()), next_at = clock_timestamp()
     from (select (${boundSql}) as number) as bound
     where source = :source and (next_to is null or counted_to >= next_to
       or next_xid > pg_snapshot_xmax(pg_current_snapshot()))`,
    { source },
  );
}
