import test from 'ava';
import pg from 'pg';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { isDatabaseUnavailable } from '../../../db/core/database-unavailable.ts';
import { anItem, aWebhookDestination, hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { followServerHistory } from '../../../db/core/server-history.ts';

const FORMER_PRIMARY = '7000000000000000000/00000001';
const SKIPPED = 10_000_000;

test('a promoted standby skips IDs of all tables once', async (t) => {
  const ledger = await hotLedger(t);
  const { db, another, channel, anotherPool } = ledger;
  await aWebhookDestination(ledger, channel);
  await acceptItems(ledger.pool, [anItem()]);
  const [present] = await db('installation').select('server_history');
  await db('installation').update({ server_history: FORMER_PRIMARY });

  const pool = anotherPool(6);
  await Promise.all(Array.from({ length: 6 }, () => pool.query('select pg_sleep(0.01)')));
  const other = another();
  await acceptItems(pool, [anItem()]);

  for (const table of ['events', 'deliveries']) {
    const [before, after] = await other(table).orderBy('id').pluck('id');
    t.true(after > before + SKIPPED, table);
    t.true(after < before + 2 * SKIPPED, `${table}: once`);
  }
  const [organization] = await other('organizations')
    .insert({ public_id: 'org_Later001', name: 'later' })
    .returning('id');
  t.true(organization.id > SKIPPED);
  t.deepEqual(await other('installation').select('server_history'), [present]);
});

test('a new installation records its server without skipping IDs', async (t) => {
  const { db, another } = await hotLedger(t);
  await db('installation').update({ server_history: null });
  const other = another();
  const [{ server_history: history }] = await other('installation').select('server_history');
  t.regex(history, /^\d+\/[0-9A-F]{8}$/);
  const [organization] = await other('organizations')
    .insert({ public_id: 'org_Later001', name: 'later' })
    .returning('id');
  t.true(organization.id < SKIPPED);
});

test('a connection to a standby is refused as unavailable', async (t) => {
  const client = new pg.Client();
  client.query = (() => Promise.resolve({ rows: [{ standby: true }] })) as unknown as typeof client.query;
  const refusal = await t.throwsAsync(followServerHistory(client));
  t.true(isDatabaseUnavailable(refusal));
});
