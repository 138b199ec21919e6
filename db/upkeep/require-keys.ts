import type { Knex } from 'knex';
import pg from 'pg';
import type { Log } from '../../process/log.ts';
import { StartRefused } from '../../process/start-refused.ts';
import { type SealedColumn, sealedColumns } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

/**
 * Refuses keys of another installation, with which a process would look healthy and could send nothing. Opens the newest
 * encrypted value of each kind. Keys that open only some of them are accepted with a warning, because one of several keys
 * may be lost for good.
 *
 * @throws StartRefused if there are values and none can be opened.
 */
export async function requireKeys(db: Knex, { secretBox, log }: { secretBox: SecretBox; log: Log }): Promise<void> {
  const readable = await listReadableTables(db);
  const columns = sealedColumns.filter(({ table }) => readable.has(table));
  const newest = (await Promise.all(columns.map((column) => readNewest(db, column)))).flat();
  const failures = newest.flatMap(({ sealed, context }) => failureOf(() => secretBox.open(sealed, context)));
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length < newest.length) {
    return log.warn('encryptionKeys.openFailed', { failed: failures.length, of: newest.length, reason: first });
  }
  throw new StartRefused(
    `ENCRYPTION_KEYS does not belong to this database (${first}). Use the keys with which the installation was set up.`,
  );
}

/** Bounds the reading where most rows have no value. */
const NEWEST_ROWS = 1_000;
/** A column that a later migration adds. */
const UNDEFINED_COLUMN = '42703';

/** Without the tables that a later migration adds, and those that the process has no privilege for. */
async function listReadableTables(db: Knex): Promise<ReadonlySet<string>> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select name from unnest(cast(? as text[])) as name where has_table_privilege(to_regclass(name), 'select')`,
    [sealedColumns.map(({ table }) => table)],
  );
  return new Set(rows.map(({ name }) => name));
}

async function readNewest(db: Knex, { table, key, column, owner, context }: SealedColumn) {
  const read = db.raw<{ rows: { sealed: string; owner: string }[] }>(
    `select t.${column} as sealed, ${owner} as owner
       from (select * from ${table} order by ${key} desc limit ${NEWEST_ROWS}) t
       where t.${column} is not null order by t.${key} desc limit 1`,
  );
  const { rows } = await read.catch((error: unknown) => {
    // An API also starts before the migration, and says so in /readyz.
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_COLUMN) return { rows: [] };
    throw error;
  });
  return rows.map((row) => ({ sealed: row.sealed, context: context(row.owner) }));
}

function failureOf(open: () => string): string[] {
  try {
    open();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
