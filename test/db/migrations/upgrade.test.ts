import test from 'ava';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { migrate, migrationNames, rollbackAfter } from '../../../db/migrate.ts';
import { acceptAsBefore, settleAsBefore } from '../../harness/database/previous-statements.ts';
import { anItem, aWebhookDestination, deliveryRows, hotLedger } from '../../harness/deliveries/hot-ledger.ts';

/** The last migration of the version before the workers shared the shards. */
const PREVIOUS = '0025-secret-reveals';
const STORED_EVENTS = 300;
const BATCH = 3;

test('the previous version works on the ledger during an upgrade', async (t) => {
  const ledger = await hotLedger(t);
  const { db, pool } = ledger;
  await aWebhookDestination(ledger, ledger.channel);
  await rollbackAfter(db, PREVIOUS);
  const items = Array.from({ length: STORED_EVENTS }, () => anItem());
  await acceptAsBefore(pool, items);
  await settleAsBefore(pool, STORED_EVENTS / 2);

  let isDone = false;
  const upgrade = migrate(db, { deliveryShards: 4 }).finally(() => (isDone = true));
  while (!isDone) {
    const batch = Array.from({ length: BATCH }, () => anItem());
    items.push(...batch);
    await acceptAsBefore(pool, batch);
    await settleAsBefore(pool, BATCH);
  }
  t.deepEqual(await upgrade, migrationNames.slice(migrationNames.indexOf(PREVIOUS) + 1));
  t.true(items.length > STORED_EVENTS, 'nothing was accepted meanwhile');

  await settleAsBefore(pool, items.length);
  t.is((await acceptItems(pool, items)).eventCount, 0, 'accepted events are still duplicates');
  const rows = await deliveryRows(pool);
  t.deepEqual(
    rows.map(({ status }) => status),
    items.map(() => 'delivered'),
  );
  const { rows: counts } = await pool.query(
    'select (select count(*) from events) as events, (select count(*) from attempts) as attempts',
  );
  t.deepEqual(counts, [{ events: items.length, attempts: items.length }]);
});
