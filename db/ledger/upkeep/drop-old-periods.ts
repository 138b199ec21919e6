import type { Knex } from 'knex';
import {
  isWhollyOld,
  type LedgerPeriod,
  listPeriods,
  MIN_PERIOD_BYTES,
  type PeriodAge,
  type PeriodTable,
} from './old-periods.ts';
import type { OwnerFunction } from '../../core/owner-function.ts';
import { PERIOD_SPAN } from '../../core/period-span.ts';
import { tryPeriodLock } from './ledger-periods.ts';

/** `lock_not_available`, `query_canceled` after a timeout, and `deadlock_detected`. */
const hindrances: ReadonlySet<unknown> = new Set(['55P03', '57014', '40P01']);
const DROP_LOCK_TIMEOUT = '250ms';

export interface OldPeriodStep {
  readonly period: string;
  /** `detached` and `removed`: a table, then all of an empty period. `hindered`: a lock or a time limit; tried later. */
  readonly outcome: 'emptied' | 'detached' | 'removed' | 'hindered' | PeriodObstacle;
  /** Of `emptied`: events before, by the statistics. */
  readonly estimatedCount?: number;
  readonly keptCount?: number;
}

/**
 * Empties the periods that are older than the cutoff as a whole, and removes those that are empty. May be repeated and
 * interrupted at any time. Never waits long for a lock that others queue behind. No step lasts longer than a statement
 * may.
 */
export async function* dropOldPeriods(db: Knex, age: PeriodAge): AsyncGenerator<OldPeriodStep> {
  for (const period of (await listPeriods(db)).filter((each) => isWhollyOld(each, age) || isLeaving(each))) {
    if (!isLeaving(period) && period.bytes >= (age.minBytes ?? MIN_PERIOD_BYTES)) {
      yield await unlessHindered(period, () => empty(db, period, age.cutoff));
    }
    if (isLeaving(period) || (await isEmpty(db, period))) yield* remove(db, period);
  }
}

/** Its removal has begun and was interrupted. */
function isLeaving({ tables }: LedgerPeriod): boolean {
  return tables.some(({ state }) => state !== 'attached');
}

async function empty(db: Knex, period: LedgerPeriod, cutoff: Date): Promise<OldPeriodStep> {
  const estimatedCount = await estimateEvents(db, period);
  return await db.transaction(async (trx) => {
    if (!(await tryPeriodLock(trx))) return { period: period.name, outcome: 'hindered' };
    const emptied = await emptyOldPeriod(trx, period, cutoff);
    if (typeof emptied === 'string') return { period: period.name, outcome: emptied };
    return { period: period.name, outcome: 'emptied', estimatedCount, ...emptied };
  });
}

async function estimateEvents(db: Knex, { name }: LedgerPeriod): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    'select greatest(reltuples, 0)::float8 as count from pg_class where oid = cast(? as regclass)',
    [`events_${name}`],
  );
  return rows[0]!.count;
}

/** A delivery that waits returns to the period of its id when it ends. */
async function isEmpty(db: Knex, { tables, first, end }: LedgerPeriod): Promise<boolean> {
  const used = [
    ...tables.map(({ name }) => `exists (select from ${name})`),
    ...['deliveries_waiting', 'deliveries_parked'].map(
      (name) => `exists (select from ${name} where id >= ${first} and id < ${end})`,
    ),
  ];
  const { rows } = await db.raw<{ rows: { used: boolean }[] }>(`select ${used.join(' or ')} as used`);
  return !rows[0]!.used;
}

/**
 * Detaches one table at a time: the lock of its parent stops acceptance until it is detached, and for a quarter of a
 * second at most. The tables are dropped together, so that those of an interrupted run are found by the name of the
 * events.
 */
async function* remove(db: Knex, period: LedgerPeriod): AsyncGenerator<OldPeriodStep> {
  for (const table of period.tables) {
    if (table.state === 'detached') continue;
    const step = await unlessHindered(period, () => detach(db, { period, table }));
    yield step;
    if (step.outcome === 'hindered') return;
  }
  yield await unlessHindered(period, () => dropTables(db, period));
}

async function detach(
  db: Knex,
  { period, table }: { period: LedgerPeriod; table: PeriodTable },
): Promise<OldPeriodStep> {
  await db.raw('select detach_ledger_table(?, ?)', [table.parent, table.name]);
  return { period: period.name, outcome: 'detached' };
}

async function dropTables(db: Knex, { name }: LedgerPeriod): Promise<OldPeriodStep> {
  await db.raw('select drop_ledger_period(?)', [name]);
  return { period: name, outcome: 'removed' };
}

export const detachPeriodTableFunction: OwnerFunction = {
  name: 'detach_ledger_table',
  parameters: 'parent text, child text',
  returns: 'void',
  body: `declare holds_rows boolean;
  begin
    if not child ~ ('^' || parent || '_[0-9]+$') or parent not in ('events', 'attempts', 'deliveries_ended')
    then raise '% is no table of a period', child; end if;
    set local lock_timeout = '${DROP_LOCK_TIMEOUT}';
    execute format('lock table only %I, %I in access exclusive mode', parent, child);
    execute format('select exists (select from %I)', child) into holds_rows;
    if holds_rows then raise '% holds rows', child; end if;
    execute format('alter table %I detach partition %I', parent, child);
  end`,
  callers: ['worker'],
};

export const dropPeriodFunction: OwnerFunction = {
  name: 'drop_ledger_period',
  parameters: 'period text',
  returns: 'void',
  body: `declare child text;
  begin
    if not period ~ '^[0-9]+$' then raise '% is no period', period; end if;
    set local lock_timeout = '${DROP_LOCK_TIMEOUT}';
    foreach child in array array['attempts_' || period, 'deliveries_ended_' || period, 'events_' || period]
    loop
      if exists (select from pg_class where oid = to_regclass(child) and relispartition) then
        raise '% is attached', child;
      end if;
      execute format('drop table if exists %I', child);
    end loop;
    delete from ledger_periods where first_id = period::bigint * ${PERIOD_SPAN};
  end`,
  callers: ['worker'],
};

async function unlessHindered(period: LedgerPeriod, act: () => Promise<OldPeriodStep>): Promise<OldPeriodStep> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && hindrances.has(error.code))) throw error;
    return { period: period.name, outcome: 'hindered' };
  }
}

/** More rows or bytes would be copied under the lock for too long. */
const MAX_KEPT_ROWS = 5_000;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** Rows that are looked at for their age. The latest ids are the latest events, except for the order of commits. */
const NEWEST_ROWS = 1_000;
/** Claims and lists read the period's tables and wait for as long. Acceptance does not. */
const LOCK_TIMEOUT = '250ms';
const LOOK_TIMEOUT = '5s';
const LOCKED_TIMEOUT = '2s';

interface EmptiedPeriod {
  readonly keptCount: number;
}

/** Why a period is not emptied. */
type PeriodObstacle = 'recent_rows' | 'replay_in_planning' | 'many_rows_kept';

/**
 * Truncates the tables of a period, except for the rows that retention keeps: the events with a waiting or recently
 * restarted delivery, a delivery of another period or an unsent item of a replay, with their deliveries and attempts,
 * and deliveries of events of other periods. What of it is old enough is then deleted row by row.
 *
 * All in one transaction, so a crash changes nothing. The locks wait for all who have changed the tables, and the
 * statements after them take a later snapshot, so a delivery restarted or replayed until then keeps its event.
 * Others that read the tables take their snapshot after they have waited for the lock.
 */
async function emptyOldPeriod(
  trx: Knex.Transaction,
  period: LedgerPeriod,
  cutoff: Date,
): Promise<EmptiedPeriod | PeriodObstacle> {
  const names = namesOf(period);
  await trx.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'; set local statement_timeout = '${LOOK_TIMEOUT}';
    set local enable_seqscan = off;
    create temp table kept_event_ids (id bigint) on commit drop;
    create temp table kept_delivery_ids (id bigint) on commit drop`);
  const before = await findKept(trx, { period, names, cutoff });
  if (before !== undefined) return before;
  await trx.raw(`set local statement_timeout = '${LOCKED_TIMEOUT}';
    lock table ${names.events}, ${names.deliveries}, ${names.attempts} in access exclusive mode;
    truncate kept_event_ids, kept_delivery_ids`);
  const obstacle = await findKept(trx, { period, names, cutoff });
  if (obstacle !== undefined) return obstacle;
  await trx.raw(replaceSql(names, period));
  const { rows } = await trx.raw<{ rows: { count: number }[] }>('select count(*)::int as count from kept_event_ids');
  return { keptCount: rows[0]!.count };
}

type Names = Readonly<Record<'events' | 'deliveries' | 'attempts', string>>;

function namesOf({ tables }: LedgerPeriod): Names {
  const [attempts, deliveries, events] = tables;
  return { attempts: attempts!.name, deliveries: deliveries!.name, events: events!.name };
}

interface FindKept {
  readonly period: LedgerPeriod;
  readonly names: Names;
  readonly cutoff: Date;
}

async function findKept(trx: Knex, { period, names, cutoff }: FindKept): Promise<PeriodObstacle | undefined> {
  const { first, end } = period;
  const age = await trx.raw<{ rows: { recent: boolean; planning: boolean }[] }>(ageSql(names), {
    cutoff,
    endedAt: period.endedAt,
    newest: NEWEST_ROWS,
  });
  if (age.rows[0]!.recent) return 'recent_rows';
  if (age.rows[0]!.planning) return 'replay_in_planning';
  const others = await trx.raw<{ rows: { name: string }[] }>(otherLeavesSql, { own: names.deliveries });
  const leaves = others.rows.map(({ name }) => name);
  const bindings = { first, end, cutoff, limit: MAX_KEPT_ROWS + 1 };
  await trx.raw(keptEventsSql(names, leaves), bindings);
  await trx.raw(keptDeliveriesSql(names), bindings);
  const kept = await trx.raw<{ rows: { most: number; bytes: number }[] }>(keptSizeSql(names), bindings);
  return kept.rows[0]!.most > MAX_KEPT_ROWS || kept.rows[0]!.bytes > MAX_KEPT_BYTES ? 'many_rows_kept' : undefined;
}

/** A replay in planning has no items yet, so all events that it may cover are kept. */
const ageSql = ({ events, deliveries }: Names): string => `
select exists (
  select from (select created_at from ${events} order by id desc limit :newest) e where created_at >= :cutoff
) or exists (
  select from (select created_at from ${deliveries} order by id desc limit :newest) d where created_at >= :cutoff
) as recent, exists (
  select from replays where run_ended_at is null and status = 'planning' and since_at <= :endedAt
) as planning`;

const otherLeavesSql = `
select relid::text as name from pg_partition_tree('deliveries') where isleaf and relid <> cast(:own as regclass)`;

/** Each part has an index for its condition. */
const keptEventsSql = ({ events, deliveries }: Names, leaves: readonly string[]): string => {
  const inRange = 'event_id >= :first and event_id < :end';
  const parts = [
    ...leaves.map((leaf) => `select event_id from ${leaf} where ${inRange}`),
    `select event_id from ${deliveries} where restarted_at >= :cutoff`,
    `select i.event_id from replay_items i join replays r on r.id = i.replay_id
     where i.done_at is null and r.status not in ('completed', 'cancelled') and i.event_id >= :first and i.event_id < :end`,
  ].map((part) => `(${part} limit :limit)`);
  return `insert into kept_event_ids select id from ${events} where id in (${parts.join(' union all ')})`;
};

const keptDeliveriesSql = ({ deliveries }: Names): string => `
insert into kept_delivery_ids
select d.id from kept_event_ids e join ${deliveries} d on d.event_id = e.id
union
(select id from ${deliveries} where event_id < :first limit :limit)
union
(select id from ${deliveries} where event_id >= :end limit :limit)`;

const keptSizeSql = ({ events }: Names): string => `
select greatest((select count(*) from kept_event_ids), (select count(*) from kept_delivery_ids),
    (select count(*) from (select from delivery_replays
      where source_delivery_id >= :first and source_delivery_id < :end limit :limit) r))::int as most,
  (select coalesce(sum(pg_column_size(e.body)), 0) from kept_event_ids k join ${events} e on e.id = k.id)::bigint as bytes`;

/** A waiting delivery keeps its attempts, also of an event of another period. */
const replaceSql = ({ events, deliveries, attempts }: Names, { first, end }: LedgerPeriod): string => `
create temp table kept_events on commit drop as
  select e.* from kept_event_ids k join ${events} e on e.id = k.id order by e.id;
create temp table kept_deliveries on commit drop as
  select d.* from kept_delivery_ids k join ${deliveries} d on d.id = k.id order by d.id;
insert into kept_delivery_ids
  select id from deliveries_waiting where id >= ${first} and id < ${end}
  union all select id from deliveries_parked where id >= ${first} and id < ${end};
create temp table kept_attempts on commit drop as
  select a.* from kept_delivery_ids k join ${attempts} a on a.delivery_id = k.id order by a.delivery_id, a.number;
truncate ${events}, ${deliveries}, ${attempts};
insert into ${events} select * from kept_events;
insert into ${deliveries} select * from kept_deliveries;
insert into ${attempts} select * from kept_attempts;
delete from conversation_holds h where h.delivery_id >= ${first} and h.delivery_id < ${end}
  and not exists (select from kept_delivery_ids k where k.id = h.delivery_id);
delete from delivery_replays r where r.source_delivery_id >= ${first} and r.source_delivery_id < ${end}
  and not exists (select from kept_delivery_ids k where k.id = r.source_delivery_id)`;
