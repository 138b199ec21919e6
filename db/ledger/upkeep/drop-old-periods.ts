import type { Knex } from 'knex';
import { emptyOldPeriod, type PeriodObstacle } from './empty-old-period.ts';
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
