import { randomBytes } from 'node:crypto';
import test from 'ava';
import pg from 'pg';
import { readDatabaseState } from '../../../db/upkeep/database-state.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import { eventually } from '../../harness/eventually.ts';
import { hotLedger } from '../../harness/deliveries/hot-ledger.ts';

async function aSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test('transactions and waits for locks are measured', async (t) => {
  const { pool, url, channel } = await hotLedger(t);
  const holder = await aSession(url);
  const waiter = await aSession(url);
  t.teardown(() => Promise.all([holder.end(), waiter.end()]));
  await holder.query('begin');
  await holder.query('select from channels where id = $1 for update', [channel.id]);
  const waits = waiter.query('select from channels where id = $1 for update', [channel.id]);
  const state = await eventually(async () => {
    const read = await readDatabaseState(pool);
    return read.lockWaitCount > 0 && read.oldestLockWaitSeconds > 0 && read;
  });
  t.true(state.seesOthers);
  t.true(state.oldestTransactionSeconds > 0);
  t.true(state.connectionCount >= 3 && state.connectionCount <= state.connectionLimit);
  t.true(state.databaseBytes > 1_000_000);
  await holder.query('commit');
  await waits;
});

test('a locked table does not delay the state of the database', async (t) => {
  const { pool, url } = await hotLedger(t);
  const holder = await aSession(url);
  t.teardown(() => holder.end());
  await holder.query('begin');
  await holder.query('lock table deliveries, events in access exclusive mode');
  // A statement that waits for the lock ends after ten seconds.
  const { tables } = await readDatabaseState(pool);
  t.true(tables.some(({ table }) => table === 'deliveries'));
});

test('dead rows of all partitions add up, and the log grows', async (t) => {
  const { db, pool } = await hotLedger(t);
  const before = await readDatabaseState(pool);
  const tables = before.tables.map(({ table }) => table);
  for (const table of ['attempts', 'conversation_holds', 'deliveries', 'destinations', 'event_keys', 'events'])
    t.true(tables.includes(table), table);
  await db.raw(
    'insert into conversation_holds (destination_id, conversation_key, delivery_id, until_at) select n, 1, n, now() from generate_series(1, 50) n',
  );
  await db.raw('delete from conversation_holds');
  const after = await eventually(async () => {
    // Statistics of idle sessions arrive late.
    await db.raw('select pg_stat_force_next_flush()');
    const read = await readDatabaseState(pool);
    return read.tables.some(({ table, deadRows }) => table === 'conversation_holds' && deadRows >= 50) && read;
  });
  t.true(after.walBytes > before.walBytes);
  t.is(after.replicaLagSeconds, null);
  t.is(after.slotRetainedBytes === null, after.inactiveSlotCount === 0);
});

test('a role without privileges reads all but the sessions of others', async (t) => {
  const { db, url } = await hotLedger(t);
  const role = `watcher_${randomBytes(6).toString('hex')}`;
  await db.raw(`create role ${role} login password 'secret'`);
  t.teardown(() => db.raw(`drop role ${role}`));
  const own = Object.assign(new URL(url), { username: role, password: 'secret' }).href;
  const other = await aSession(url);
  t.teardown(() => other.end());
  await other.query('begin');
  await other.query('select pg_current_xact_id()');
  const pool = testHotPool(t, own);
  const state = await readDatabaseState(pool);
  t.false(state.seesOthers);
  t.true(state.walBytes > 0 && state.databaseBytes > 0 && state.connectionCount >= 2);
  await db.raw(`grant pg_monitor to ${role}`);
  const seen = await readDatabaseState(pool);
  t.true(seen.seesOthers);
  t.true(seen.oldestTransactionSeconds > 0);
});
