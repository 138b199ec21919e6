import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { readChangeHorizon } from '../../../db/deliveries/changes.ts';
import { readBacklog } from '../../../db/upkeep/backlog.ts';
import { emptyDatabase } from '../../harness/database/database.ts';
import { hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { eventually } from '../../harness/eventually.ts';

const currentXid = 'select pg_current_xact_id()::text as xid';

test('a transaction of another database does not hold back streams', async (t) => {
  const { db } = await hotLedger(t);
  const { url } = await emptyDatabase(t);
  const foreign = new pg.Client({ connectionString: url });
  await foreign.connect();
  try {
    await foreign.query('begin');
    const { rows } = await foreign.query<{ xid: string }>(currentXid);
    const before = BigInt(rows[0]!.xid);
    const own = await db.transaction();
    const ownXid = BigInt((await own.raw(currentXid)).rows[0].xid);
    await db.raw(currentXid); // ends, so that the snapshot covers the others
    // A transaction of another test that ends at the same moment counts.
    await eventually(async () => (await readChangeHorizon(db)) > before);
    t.true((await readChangeHorizon(db)) <= ownXid);
    await own.commit();
    await eventually(async () => (await readChangeHorizon(db)) > ownXid);
    t.pass();
  } finally {
    await foreign.end();
  }
});

/** A prepared transaction would outlive the test's database. */
async function prepared(t: ExecutionContext<unknown>, url: string): Promise<bigint> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  await client.query('begin');
  const { rows } = await client.query<{ xid: string }>(currentXid);
  await client.query(`prepare transaction '${name}'`);
  t.teardown(async () => {
    await client.query(`rollback prepared '${name}'`);
    await client.end();
  });
  return BigInt(rows[0]!.xid);
}

test('a prepared transaction of another database does not hold back streams', async (t) => {
  const { db, pool } = await hotLedger(t);
  const { url } = await emptyDatabase(t);
  const xid = await prepared(t, url);
  await db.raw(currentXid); // ends, so that the snapshot covers the other
  await eventually(async () => (await readChangeHorizon(db)) > xid);
  await eventually(async () => (await readBacklog(pool)).horizonSeconds === 0);
  t.pass();
});

test('the age of a prepared transaction is reported', async (t) => {
  const { db, pool, url } = await hotLedger(t);
  const xid = await prepared(t, url);
  t.true((await readChangeHorizon(db)) <= xid);
  t.true((await readBacklog(pool)).horizonSeconds > 0);
});

test('the age of the oldest writing transaction is reported', async (t) => {
  const { db, pool } = await hotLedger(t);
  await eventually(async () => (await readBacklog(pool)).horizonSeconds === 0);
  const writer = await db.transaction();
  await writer.raw(currentXid);
  t.true((await readBacklog(pool)).horizonSeconds > 0);
  await writer.rollback();
});
