import test from 'ava';
import pg from 'pg';
import { connectDatabase } from '../../../db/core/connect-database.ts';
import { isDatabaseUnavailable } from '../../../db/core/database-unavailable.ts';
import { createHotPool } from '../../../db/core/hot-pool.ts';
import { connectPatiently, PATIENCE_MS } from '../../harness/database/connect-patiently.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { failureOf } from '../../harness/failure-of.ts';

const nowhere = 'postgres://nobody@127.0.0.1:1/none';
const readOnly = '?options=-c%20default_transaction_read_only%3Don';
const hot = { applicationName: 'test', connections: 1, onError: () => undefined };

test('an unreachable, stopping, full or read-only server counts as away', async (t) => {
  const { url } = await testDatabase(t);
  const pool = createHotPool({ ...hot, url, connectWithinMs: PATIENCE_MS });
  const awayPool = createHotPool({ ...hot, url: nowhere });
  const db = connectPatiently({ url: url + readOnly, applicationName: 'test' });
  const awayDb = connectDatabase({ url: nowhere, applicationName: 'test' });
  t.teardown(() => Promise.all([pool.end(), awayPool.end(), db.destroy(), awayDb.destroy()]));
  const failures = {
    'the hot pool cannot connect': await failureOf(awayPool.query('select 1')),
    'the other pool cannot connect': await failureOf(awayDb.raw('select 1')),
    'the host is unknown': await failureOf(
      new pg.Client({ connectionString: 'postgres://x@nowhere.invalid/x' }).connect(),
    ),
    'the connection is ended': await failureOf(pool.query('select pg_terminate_backend(pg_backend_pid())')),
    'it is read-only': await failureOf(db('organizations').update({ name: 'x' })),
    'its disk is full': await failureOf(db.raw(`do $$ begin raise exception 'full' using errcode = '53100'; end $$`)),
    'it is too slow': await failureOf(pool.query('set statement_timeout = 1; select pg_sleep(600)')),
    'it has no connection left': await failureOf(db.raw(`do $$ begin raise 'x' using errcode = '53300'; end $$`)),
  };
  for (const [name, failure] of Object.entries(failures))
    t.true(isDatabaseUnavailable(failure), `${name}: ${String(failure)}`);
});

test('an exhausted pool counts as away', async (t) => {
  const { url } = await testDatabase(t);
  const pool = createHotPool({ ...hot, url, connectWithinMs: PATIENCE_MS });
  const db = connectPatiently({ url, applicationName: 'test', poolSize: 1 });
  const client = await pool.connect();
  t.teardown(() => Promise.all([pool.end(), db.destroy()]));
  t.teardown(() => client.release());
  const transaction = await db.transaction();
  t.teardown(() => transaction.rollback());
  pool.options.connectionTimeoutMillis = db.client.pool.acquireTimeoutMillis = 50;
  t.true(isDatabaseUnavailable(await failureOf(pool.query('select 1'))));
  t.true(isDatabaseUnavailable(await failureOf(db.raw('select 1'))));
});

test('statement errors, a wrong password and disconnected clients do not count', async (t) => {
  const { db } = await testDatabase(t);
  const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  const faults = [
    await failureOf(db.raw('select nothing from nowhere')),
    await failureOf(db.raw("select 'x'::int")),
    await failureOf(db('organizations').insert({})),
    await failureOf(db.raw(`do $$ begin raise 'x' using errcode = '28P01'; end $$`)),
    await failureOf(db.raw(`do $$ begin raise 'x' using errcode = '40P01'; end $$`)),
    ...[aborted, new Error('Unexpected'), new TypeError('x is not a function'), undefined, 'text', { code: '53100' }],
  ];
  for (const fault of faults) t.false(isDatabaseUnavailable(fault), String(fault));
});
