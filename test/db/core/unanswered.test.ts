import test, { type ExecutionContext } from 'ava';
import type { QueryConfig } from 'pg';
import { connectDatabase, connectForMigrations } from '../../../db/core/connect-database.ts';
import { isDatabaseUnavailable } from '../../../db/core/database-unavailable.ts';
import { createHotPool } from '../../../db/core/hot-pool.ts';
import { StopList } from '../../../dev/processes/stop-list.ts';
import { startTcpProxy, type TcpProxy } from '../../faults/tcp-proxy.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { failureOf } from '../../harness/failure-of.ts';

/** The service's own time would be twelve seconds or more. */
const SOON = { query_timeout: 300 };
const PATIENT = { query_timeout: 120_000 };

/** The driver's types lack the option. */
const unlessLater = (text: string, time: typeof SOON): QueryConfig => ({ text, ...time }) as QueryConfig;

async function stage(t: ExecutionContext): Promise<{ readonly url: string; readonly path: TcpProxy }> {
  const { url: direct } = await testDatabase(t);
  const stops = new StopList(() => undefined);
  t.teardown(() => stops.stopAll());
  const url = new URL(direct);
  const path = await startTcpProxy({ name: 'path', port: Number(url.port) }, stops);
  url.port = String(path.port);
  return { url: url.href, path };
}

test('after a fail-over, statements of the delivery path use new connections', async (t) => {
  const { url, path } = await stage(t);
  const pool = createHotPool({ url, applicationName: 'test', connections: 1, onError: () => undefined });
  t.teardown(() => pool.end());
  t.deepEqual(pool.options, { ...pool.options, statement_timeout: 10_000, query_timeout: 12_000 });
  await pool.query('select');
  path.freeze();
  t.true(isDatabaseUnavailable(await failureOf(pool.query(unlessLater('select', SOON)))));
  t.is((await pool.query<{ one: number }>(unlessLater('select 1 as one', PATIENT))).rows[0]!.one, 1);
});

test('after a fail-over, other statements use new connections', async (t) => {
  const { url, path } = await stage(t);
  const db = connectDatabase({ url, applicationName: 'test', poolSize: 1, connectWithinMs: 60_000 });
  t.teardown(() => db.destroy());
  const migrations = connectForMigrations(db);
  t.teardown(() => migrations.destroy());
  t.is(db.client.connectionSettings.query_timeout, 32_000);
  t.is(migrations.client.connectionSettings.query_timeout, 0, 'a migration may take hours');
  await db.raw('select');
  path.freeze();
  const failure = await failureOf(db.raw('select').options(SOON));
  t.true(isDatabaseUnavailable(failure), String(failure));
  const { rows } = await db.raw('select 1 as one').options(PATIENT);
  t.is(rows[0].one, 1);
});
