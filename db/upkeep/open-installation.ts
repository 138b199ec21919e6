import type { Knex } from 'knex';
import pg from 'pg';
import type { Log } from '../../process/log.ts';
import { StartRefused } from '../../process/stop-signals.ts';
import { isDatabaseUnavailable } from '../core/database-unavailable.ts';
import { type Installation, readInstallation } from '../core/installation.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { newerMigrations } from './schema-state.ts';
import { type SealedColumn, sealedColumns } from '../core/sealed-columns.ts';

/** The oldest that the PostgreSQL project maintains. */
const LEAST_VERSION = 15;
const TESTED_VERSION = 18;
const NO_TABLE = '42P01';
const MIGRATE = 'Run `npm run admin -- migrate` of this release first.';

/**
 * Reads the installation if this release and its keys can work with the database. A database that a later release has
 * migrated is accepted: migrations only add, so that a release can be rolled back.
 */
export async function openInstallation(
  db: Knex,
  { log, secretBox }: { log: Log; secretBox: SecretBox },
): Promise<Installation> {
  try {
    const version = await requireVersion(db);
    if (Number.parseInt(version) < TESTED_VERSION) log.warn('database.versionUntested', { version });
    const installation = await readInstallation(db);
    const newer = await newerMigrations(db);
    if (newer.length > 0) log.warn('schema.laterReleased', { migrations: newer });
    await requireKeys(db, { secretBox, log });
    return installation;
  } catch (error) {
    throw refusalOf(error);
  }
}

async function requireVersion(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { version: string }[] }>(`select current_setting('server_version') as version`);
  const version = rows[0]?.version ?? '';
  if (!isSupported(version)) {
    throw new StartRefused(`The database is PostgreSQL ${version}. This release needs ${LEAST_VERSION} or later.`);
  }
  return version;
}

function isSupported(version: string): boolean {
  return Number.parseInt(version) >= LEAST_VERSION;
}

function refusalOf(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && error.code === NO_TABLE) {
    return new StartRefused(`The database has no schema. ${MIGRATE}`, { cause: error });
  }
  return asConnectionRefusal(error) ?? error;
}

/** Returns a sentence instead of an error of the connection. The driver's messages contain no password. */
export function asConnectionRefusal(error: unknown): StartRefused | undefined {
  if (!(error instanceof Error) || !(isDatabaseUnavailable(error) || isRefusedConnection(error))) return undefined;
  const code = 'code' in error ? String(error.code) : error.name;
  return new StartRefused(
    `The database cannot be used (${error.message || code}). Check DATABASE_URL, and that it leads to a running primary.`,
    { cause: error },
  );
}

/** Wrong user or password (28), a database that does not exist (3D), and failures of TLS. */
function isRefusedConnection(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof pg.DatabaseError) return /^(?:28...|3D000)$/.test(code);
  return /^(?:ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/.test(code) || noTls.has(error.message);
}

const noTls: ReadonlySet<string> = new Set(['The server does not support SSL connections']);

/**
 * Refuses keys of another installation, with which a process would look healthy and could send nothing. Opens the newest
 * encrypted value of each kind. Keys that open only some of them are accepted with a warning, because one of several keys
 * may be lost for good.
 *
 * @throws StartRefused if there are values and none can be opened.
 */
async function requireKeys(db: Knex, { secretBox, log }: { secretBox: SecretBox; log: Log }): Promise<void> {
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

async function readNewest(db: Knex, { table, key = 'id', column, owner, context }: SealedColumn) {
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
