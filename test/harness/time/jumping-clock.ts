import type { Knex } from 'knex';

/**
 * The clocks of this process and of one database, which a test moves ahead together. Timers and `performance.now` keep
 * their time. A test file that uses it must run in a process of its own.
 */
export interface JumpingClock {
  /** Gives a new database the clock. Statements of connections that were open before don't see it. */
  readonly prepare: (db: Knex) => Promise<void>;
  jump(db: Knex, ms: number): Promise<void>;
  /** Ends the process's own jumps. */
  end(): void;
}

const clocks = ['now', 'transaction_timestamp', 'statement_timestamp', 'clock_timestamp'];

export function jumpingClock(): JumpingClock {
  const RealDate = globalThis.Date;
  let aheadMs = 0;
  globalThis.Date = class JumpedDate extends RealDate {
    constructor(...parts: [] | ConstructorParameters<DateConstructor>) {
      if (parts.length === 0) super(RealDate.now() + aheadMs);
      else super(...parts);
    }

    static override now(): number {
      return RealDate.now() + aheadMs;
    }
  } as DateConstructor;
  return {
    prepare: shadowClocks,
    async jump(db, ms) {
      aheadMs += ms;
      await db('test_clock').update({ ahead: db.raw(`? * interval '1 millisecond'`, [aheadMs]) });
    },
    end: () => void (globalThis.Date = RealDate),
  };
}

/** Functions in `public` that are found before those of the same name in `pg_catalog`, also by the columns' defaults. */
async function shadowClocks(db: Knex): Promise<void> {
  const [name] = (await db.raw<{ rows: { name: string }[] }>('select current_database() as name')).rows;
  await db.raw(`create table test_clock (ahead interval not null)`);
  await db.raw(`insert into test_clock values ('0')`);
  for (const clock of clocks) {
    await db.raw(`create function public.${clock}() returns timestamptz language sql ${clock === 'clock_timestamp' ? 'volatile' : 'stable'} as
      'select pg_catalog.${clock}() + ahead from public.test_clock'`);
  }
  await db.raw('alter database ?? set search_path = public, pg_catalog', [name!.name]);
  await db.raw('set search_path = public, pg_catalog');
  const { rows } = await db.raw<{ rows: { change: string }[] }>(`
    select format('alter table %s alter column %I set default %s', adrelid::regclass, attname, shown) as change
    from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
    cross join lateral (select replace(pg_get_expr(adbin, adrelid), 'pg_catalog.', '') as shown) as expression
    where shown ~ '(now|_timestamp)\\(\\)' and attgenerated = ''`);
  for (const { change } of rows) await db.raw(change);
}
