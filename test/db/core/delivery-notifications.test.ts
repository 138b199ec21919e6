import test from 'ava';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { createPlatformEvents } from '../../../api/ingest/platform-events.ts';
import { type DeliveryNotifications, openDeliveryNotifications } from '../../../db/core/delivery-notifications.ts';
import { createShardWakes } from '../../../db/core/shard-wakes.ts';
import { disableDestination } from '../../../db/ledger/destinations/destinations.ts';
import { eventually } from '../../harness/eventually.ts';
import { anItem, aWebhookDestination, hotLedger, type HotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { chatChange, chatEnvelope } from '../../harness/envelope/split-items.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { notificationsOf } from '../../harness/deliveries/pump-deps.ts';

/** Sent after the events; notifications of one database arrive in commit order. */
const SENTINEL_SHARD = 99;
const message = { id: 'mid.1', from: '4915', timestamp: '1', type: 'text', text: { body: 'hi' } };
const anEnvelope = chatEnvelope(chatChange('res-1', { messages: [message] }));

/** Collects the shards of each notification. */
function wokenBy(wake: DeliveryNotifications) {
  const woken: (readonly number[])[] = [];
  let isConnected = false;
  wake.subscribe((shards, change) => {
    if (change === 'unknown') isConnected = true;
    else woken.push(shards);
  });
  return { woken, isConnected: () => isConnected };
}

async function listeners({ db }: HotLedger): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'service-wake'`,
  );
  return rows.map(({ pid }) => pid);
}

test('an accepted event wakes only the shard with new rows', async (t) => {
  const ledger = await hotLedger(t);
  const { shard } = await aWebhookDestination(ledger, ledger.channel);
  const events = createPlatformEvents({ pool: ledger.pool, log: rememberingLog() });
  const wake = notificationsOf(t, ledger);
  const { woken, isConnected } = wokenBy(wake);
  await eventually(isConnected);
  await events.accept(Buffer.from(JSON.stringify(anEnvelope)));
  await eventually(() => woken.length > 0);
  t.deepEqual(woken, [[shard]]);
});

test('the accepting transaction sends no notification', async (t) => {
  const ledger = await hotLedger(t);
  const { shard } = await aWebhookDestination(ledger, ledger.channel);
  const wake = notificationsOf(t, ledger);
  const { woken, isConnected } = wokenBy(wake);
  await eventually(isConnected);
  const { offers } = await acceptItems(ledger.pool, [anItem(), anItem()]);
  t.deepEqual(
    offers.map((offer) => offer.shard),
    [shard, shard],
  );
  await ledger.pool.query("select pg_notify('deliveries', $1)", [String(SENTINEL_SHARD)]);
  await eventually(() => woken.length > 0);
  t.deepEqual(woken, [[SENTINEL_SHARD]]);
});

test('one notification wakes several shards', async (t) => {
  const ledger = await hotLedger(t);
  const wake = notificationsOf(t, ledger);
  const { woken, isConnected } = wokenBy(wake);
  await eventually(isConnected);
  const wakes = createShardWakes({ pool: ledger.pool, log: rememberingLog() });
  wakes.wake([1, 2, 255]);
  await wakes.idle();
  await eventually(() => woken.length > 0);
  t.deepEqual(woken, [[1, 2, 255]]);
});

test('a notification of a change has its shard and destination', async (t) => {
  const ledger = await hotLedger(t);
  const { id, shard } = await aWebhookDestination(ledger, ledger.channel);
  const wake = notificationsOf(t, ledger);
  const calls: unknown[][] = [];
  wake.subscribe((...args) => calls.push(args));
  await eventually(() => calls.length === 1);
  await disableDestination(ledger.db, id);
  await eventually(() => calls.length === 2);
  t.deepEqual(calls, [
    [[], 'unknown'],
    [[shard], id],
  ]);
});

test('a reconnect wakes all subscribers, because notifications may be lost', async (t) => {
  const ledger = await hotLedger(t);
  const wake = notificationsOf(t, ledger);
  let count = 0;
  wake.subscribe(() => count++);
  await eventually(() => count === 1);
  const [first] = await listeners(ledger);
  await ledger.db.raw('select pg_terminate_backend(?)', [first!]);
  await eventually(() => count === 2);
  t.not((await listeners(ledger))[0], first);
});

test('an unsubscribed callback is not called', async (t) => {
  const ledger = await hotLedger(t);
  const wake = notificationsOf(t, ledger);
  let kept = 0;
  let left = 0;
  wake.subscribe(() => kept++);
  wake.subscribe(() => left++)();
  await eventually(() => kept === 1);
  t.is(left, 0);
});

test('closing a connecting listener leaves no connection behind', async (t) => {
  const ledger = await hotLedger(t);
  const closed = openDeliveryNotifications({ url: ledger.url, log: rememberingLog() });
  let wakes = 0;
  closed.subscribe(() => wakes++);
  await closed.close();

  const later = openDeliveryNotifications({ url: ledger.url, log: rememberingLog() });
  t.teardown(() => later.close());
  let isNotified = false;
  later.subscribe(() => (isNotified = true));
  await eventually(() => isNotified);
  await eventually(async () => (await listeners(ledger)).length === 1);
  t.is(wakes, 0);
});
