import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { registerCompletionHandler } from 'ava';
import type { Knex } from 'knex';
import type { DatabaseProcess } from '../../../db/core/owner-function.ts';
import { migrate } from '../../../db/migrate.ts';
import type { Lifetime } from '../time/lifetime.ts';
import { connectPatiently } from './connect-patiently.ts';
import { emptyAgain, type FreshState, readFreshState } from './empty-again.ts';

export interface TestDatabase {
  readonly db: Knex;
  readonly url: string;
  /** Returns other connections to the same database. */
  another(): Knex;
}

/** The roles of the processes on the tests' server, with the privileges of `db/roles/`. */
const roles = { api: 'test_api', worker: 'test_worker', gateway: 'test_gateway' } as const;
const ROLE_PASSWORD = 'test';

/** Returns the URL with which a process uses this database. */
export function urlFor(process: DatabaseProcess, databaseUrl: string): string {
  return Object.assign(new URL(databaseUrl), { username: roles[process], password: ROLE_PASSWORD }).href;
}

/** Runs statements with the privileges of a process, in a transaction. */
export async function asProcess<Result>(
  db: Knex,
  process: DatabaseProcess,
  act: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return await db.transaction(async (trx) => {
    await trx.raw(`set local role ${roles[process]}`);
    return await act(trx);
  });
}

/** An arbitrary advisory lock number. */
const TEMPLATE_LOCK = 5_120_947;

type Prepare = (db: Knex) => Promise<void>;

interface KeptDatabase extends Pick<TestDatabase, 'db' | 'url'> {
  readonly name: string;
  readonly fresh: FreshState;
  readonly prepare: Prepare | undefined;
}

let template: Promise<string> | undefined;
let fresh: Promise<FreshState> | undefined;
let server: Knex | undefined;
/** Databases of this process that no test uses, as empty as at first. */
const unused: KeptDatabase[] = [];
let hasEnded = false;

export interface TestDatabaseOptions {
  /** Optional. True for plans and sizes, which depend on the rows that a table has had. Default: false. */
  readonly isNew?: boolean;
  /** Optional. Changes a clone of the template. Tests with the same function share its databases. */
  readonly prepare?: Prepare;
}

/**
 * Returns a migrated database for one test. It is emptied afterwards for another test of this process, which takes a tenth
 * of the time of a new clone.
 */
export async function testDatabase(
  t: Lifetime,
  { isNew = false, prepare }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const database = (!isNew && takeUnused(prepare)) || (await cloneTemplate(prepare));
  t.teardown(async () => {
    if (!isNew && !hasEnded && (await emptyAgain(database))) unused.push(database);
    else await drop(database);
  });
  return withConnections(t, database);
}

function withConnections(t: Lifetime, { db, url }: Pick<TestDatabase, 'db' | 'url'>): TestDatabase {
  const another = (): Knex => {
    const other = connectPatiently({ url, applicationName: 'test-other' });
    t.teardown(() => other.destroy());
    return other;
  };
  return { db, url, another };
}

function takeUnused(prepare: Prepare | undefined): KeptDatabase | undefined {
  const index = unused.findLastIndex((database) => database.prepare === prepare);
  return index === -1 ? undefined : unused.splice(index, 1)[0];
}

test.after.always(async () => {
  hasEnded = true;
  // A test may have ended the server, if it was its own.
  await Promise.allSettled(unused.splice(0).map(drop));
});

async function cloneTemplate(prepare: Prepare | undefined): Promise<KeptDatabase> {
  const source = await (template ??= migratedTemplate());
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer().raw(`create database ${name} template ${source}`);
  const url = urlOf(name);
  const db = connectPatiently({ url, applicationName: name });
  await prepare?.(db);
  return { name, url, db, prepare, fresh: await (prepare ? readFreshState(db) : (fresh ??= readFreshState(db))) };
}

async function drop({ name, db }: Pick<KeptDatabase, 'name' | 'db'>): Promise<void> {
  await destroy(db);
  await onServer().raw(`drop database ${name} with (force)`);
}

export async function emptyDatabase(t: Lifetime): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer().raw(`create database ${name}`);
  const url = urlOf(name);
  const db = connectPatiently({ url, applicationName: 'test' });
  t.teardown(() => drop({ name, db }));
  return withConnections(t, { db, url });
}

/**
 * Closes the pool. A query that starts during this time waits for a connection until its timeout, so that the test's
 * process would stay until then.
 */
async function destroy(db: Knex): Promise<void> {
  db.client.pool.acquireTimeoutMillis = 1;
  await db.destroy();
}

/** Creates the template once per server, under a lock. Its name contains the migrations' hash. */
async function migratedTemplate(): Promise<string> {
  const name = `template_${migrationsHash()}`;
  const connection = await onServer().client.acquireConnection();
  try {
    while (!(await tryLock(connection))) await sleep(20);
    if (!(await exists(name))) await makeTemplate(name);
    await onServer().raw('select pg_advisory_unlock(?)', [TEMPLATE_LOCK]).connection(connection);
  } finally {
    await onServer().client.releaseConnection(connection);
  }
  return name;
}

/** Uses a temporary name until the template is complete, because the run may be killed. */
async function makeTemplate(name: string): Promise<void> {
  const draft = `${name}_draft`;
  await onServer().raw(`drop database if exists ${draft} with (force)`);
  await onServer().raw(`create database ${draft}`);
  const db = connectPatiently({ url: urlOf(draft), applicationName: 'test-template' });
  try {
    const url = urlOf(draft);
    const urls = { api: urlFor('api', url), worker: urlFor('worker', url), gateway: urlFor('gateway', url) };
    await migrate(db, { roles: urls });
  } finally {
    await db.destroy();
  }
  await onServer().raw(`alter database ${draft} rename to ${name}`);
}

async function exists(name: string): Promise<boolean> {
  const { rows } = await onServer().raw<{ rows: unknown[] }>('select from pg_database where datname = ?', [name]);
  return rows.length > 0;
}

async function tryLock(connection: unknown): Promise<boolean> {
  const { rows } = await onServer()
    .raw('select pg_try_advisory_lock(?) as locked', [TEMPLATE_LOCK])
    .connection(connection);
  return rows[0].locked === true;
}

/** After all hooks, some of which drop databases. Its pool would keep the process for half a minute. */
registerCompletionHandler(() => void server?.destroy());

/** Returns the connections that create and drop databases. */
function onServer(): Knex {
  return (server ??= connectPatiently({ url: urlOf('postgres'), applicationName: 'test-server', poolSize: 3 }));
}

function urlOf(database: string): string {
  const { TEST_DATABASE_URL: base } = process.env;
  if (!base) throw new Error('TEST_DATABASE_URL is not set: run the tests with `npm test`, which brings a server up');
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.href;
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const folder of ['migrations/', 'schema/', 'roles/', 'ledger/upkeep/', 'upkeep/', 'core/', 'audit/'].map(
    (name) => new URL(`../../../db/${name}`, import.meta.url),
  ))
    for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)));
  return hash.digest('hex').slice(0, 16);
}
