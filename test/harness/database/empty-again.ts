import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

/** What a fresh clone of the template contains. */
export interface FreshState {
  readonly schema: string;
  /** Deletes all rows and restores those of the template, and the sequences. */
  readonly restoreSql: string;
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
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(tablesSql);
  const { rows: sequences } = await db.raw<{ rows: { name: string; last: number | null }[] }>(sequencesSql);
  const seeds = await Promise.all(tables.map(({ name }) => seedSql(db, name)));
  const restore = [
    // Without the triggers of foreign keys, the order does not matter.
    'set local session_replication_role = replica',
    ...tables.map(({ name }) => `delete from ${name}`),
    ...seeds.flat(),
    `select ${sequences.map(({ name, last }) => `setval('${name}', ${last ?? 1}, ${last !== null})`).join()}`,
  ];
  return { schema: await readSchema(db), restoreSql: restore.join(';\n') };
}

/** Returns the statement that inserts the rows of this table again, if it has any. */
async function seedSql(db: Knex, table: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { sql: string }[] }>(`select format(
    'insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, %L)',
    json_agg(r)) as sql from ${table} r having count(*) > 0`);
  return rows.map(({ sql }) => sql.replaceAll('?', '\\?'));
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

async function isRestored(db: Knex, { schema, restoreSql }: FreshState): Promise<boolean> {
  if ((await readSchema(db)) !== schema) return false;
  // Statements of one message are one transaction.
  await db.raw(restoreSql);
  return true;
}
