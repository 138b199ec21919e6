import type { Knex } from 'knex';

/** Ids of one period. A period ends when the sequences are advanced to the next one, so it rarely uses them up. */
export const PERIOD_SPAN = 1_000_000_000;
/** Ids that may be used up between this migration and 0032. */
const HEADROOM = 100_000_000;

export const boundedKeys = { events: 'id', deliveries: 'id', attempts: 'delivery_id' } as const;
export type BoundedTable = keyof typeof boundedKeys;

/**
 * 0 for a row from before the boundary, 1 for a delivery that waits, 2 for one that has ended, and 3 for a pending one
 * that is parked behind a held conversation, at the latest until `next_attempt_at`.
 */
export const deliveryPartSql = (boundary: number): string =>
  `(case when id < ${boundary} then 0 when status = 'pending' and next_attempt_at is not null then 3
      when status in ('pending', 'retrying') then 1 else 2 end)`;

/** The test for null makes PostgreSQL accept the check as the proof of a partition's bounds. */
function boundarySql(table: BoundedTable, boundary: number): string {
  const key = boundedKeys[table];
  const [value, bound] = table === 'deliveries' ? [deliveryPartSql(boundary), '= 0'] : [key, `< ${boundary}`];
  return `${value} is not null and ${value} ${bound}`;
}

/**
 * Chooses an id above all present ones and validates it as the tables' bound while others write. Sends one statement
 * per call: several would form a transaction that holds the first lock during the validation.
 */
export const ledgerBoundary = {
  config: { transaction: false },
  async up(knex: Knex) {
    await knex.raw(`
      create table if not exists ledger_periods (
        first_id bigint primary key,
        began_at timestamptz,
        created_at timestamptz not null default now()
      )`);
    await knex.raw(`comment on table ledger_periods is
      'partitions of the ledger by id; began_at is when the sequences reached it, null before'`);
    const boundary = await chooseBoundary(knex);
    for (const table of Object.keys(boundedKeys) as BoundedTable[]) {
      const name = `${table}_before_boundary`;
      await knex.raw(`alter table ${table} drop constraint if exists ${name}`);
      await knex.raw(`alter table ${table} add constraint ${name} check (${boundarySql(table, boundary)}) not valid`);
      await knex.raw(`alter table ${table} validate constraint ${name}`);
    }
  },
  async down(knex: Knex) {
    for (const table of Object.keys(boundedKeys)) {
      await knex.raw(`alter table ${table} drop constraint if exists ${table}_before_boundary`);
    }
    await knex.raw('drop table ledger_periods');
  },
};

/** Keeps the choice of an interrupted run. */
async function chooseBoundary(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { first_id: number }[] }>(
    `with chosen as (
       insert into ledger_periods (first_id)
       select ceil((greatest(e.last_value, d.last_value) + ${HEADROOM})::numeric / ${PERIOD_SPAN}) * ${PERIOD_SPAN}
       from events_id_seq e, deliveries_id_seq d
       where not exists (select from ledger_periods)
       returning first_id
     )
     select first_id from chosen union all select first_id from ledger_periods`,
  );
  return rows[0]!.first_id;
}
