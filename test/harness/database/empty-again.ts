import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

/** What a fresh clone of the template contains. */
export interface FreshState {
  readonly tables: readonly string[];
  readonly seeds: readonly { readonly table: string; readonly rows: string }[];
  readonly sequences: readonly { readonly name: string; readonly last: number | null }[];
  readonly schema: string;
}

interface Kept {
  readonly db: Knex;
  /** The name of its sessions. */
  readonly name: string;
  readonly fresh: FreshState;
}

const WAIT_MS = 2_000;
const POLL_MS = 5;

const tablesSql = `select c.oid::regclass::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

const sequencesSql = `select format('%I.%I', schemaname, sequencename) as name, last_value as last from pg_sequences`;

/** Every change of a definition writes a row of these, and so does a setting of the database. */
const schemaSql = `select concat_ws(',',
  (select array[count(*), sum(xmin::text::bigint)]::text from pg_class),
  (select array[count(*), sum(xmin::text::bigint)]::text from pg_trigger),
  (select array[count(*), sum(xmin::text::bigint)]::text from pg_constraint),
  (select array[count(*), sum(xmin::text::bigint)]::text from pg_proc),
  (select count(*) from pg_namespace where nspname !~ '^pg_temp|^pg_toast_temp'),
  (select count(*) from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database())) as schema`;

export async function readFreshState(db: Knex): Promise<FreshState> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(tablesSql);
  const tables = rows.map(({ name }) => name);
  const seeds = await Promise.all(
    tables.map(async (table) => {
      const found = await db.raw<{ rows: { rows: string | null }[] }>(
        `select json_agg(r)::text as rows from ${table} r`,
      );
      return { table, rows: found.rows[0]!.rows ?? '' };
    }),
  );
  const { rows: sequences } = await db.raw(sequencesSql);
  return { tables, seeds: seeds.filter(({ rows: text }) => text !== ''), sequences, schema: await readSchema(db) };
}

async function readSchema(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { schema: string }[] }>(schemaSql);
  return rows[0]!.schema;
}

/** Returns false if a test has left more than rows: a changed definition, or a session that does not end. */
export async function emptyAgain({ db, name, fresh }: Kept): Promise<boolean> {
  try {
    return (await isIdle(db)) && (await endOtherSessions(db, name)) && (await isRestored(db, fresh));
  } catch {
    return false;
  }
}

async function isIdle({ client }: Knex): Promise<boolean> {
  const untilMs = performance.now() + WAIT_MS;
  while (client.pool.numUsed() + client.pool.numPendingAcquires() > 0) {
    if (performance.now() > untilMs) return false;
    await sleep(POLL_MS);
  }
  return true;
}

async function endOtherSessions(db: Knex, name: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { ended: boolean }[] }>(
    `select pg_terminate_backend(pid, ?) as ended from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and application_name <> ?`,
    [WAIT_MS, name],
  );
  return rows.every(({ ended }) => ended);
}

async function isRestored(db: Knex, { tables, seeds, sequences, schema }: FreshState): Promise<boolean> {
  if ((await readSchema(db)) !== schema) return false;
  const deletes = tables.map((table) => `delete from ${table}`).join(';');
  await db.transaction(async (trx) => {
    // Without the triggers of foreign keys, the order does not matter.
    await trx.raw('set local session_replication_role = replica');
    await trx.raw(deletes);
    await trx.raw(
      `select setval(name::regclass, coalesce(last, 1), last is not null)
         from json_to_recordset(?) as s (name text, last int8)`,
      [JSON.stringify(sequences)],
    );
    for (const { table, rows } of seeds) {
      await trx.raw(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, ?)`,
        [rows],
      );
    }
  });
  return true;
}
