import test from 'ava';
import { countArrivals, tally, untilArrived } from '../../harness/system/arrivals.ts';
import { retryDelivery, untilStatuses } from '../../harness/system/delivery-watch.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { CONVERSATION_HOLD_SECONDS, sharedSystem } from '../../harness/system/shared-system.ts';
import { startSystem } from '../../harness/system/system.ts';
import { randomFrom } from '../../harness/random.ts';
import { connectedWith } from '../../harness/system/connected.ts';

const anna = '15550000001';
const bert = '15550000002';
const oneFailure = { answers: [{ status: 503 }] };

test('a failing delivery blocks only later deliveries of its conversation', async (t) => {
  const { api, connected, db, hook, sender } = await connectedWith(t, await sharedSystem(t), oneFailure);
  const sentAtMs = Date.now();
  await sender.message(connected, { from: anna });
  const [deliveryId = ''] = await untilStatuses(api, { channel: connected, statuses: ['retrying'] });
  const { until_at: heldUntil } = await db('conversation_holds').where({ channel_id: connected.id }).first();
  const heldMs = heldUntil.getTime() - CONVERSATION_HOLD_SECONDS * 1_000;
  t.true(heldMs >= sentAtMs && heldMs <= Date.now(), 'it blocks them no longer than the limit');
  for (const from of [anna, bert, anna, bert]) await sender.message(connected, { from });
  const held = ['retrying', 'pending', 'delivered', 'pending', 'delivered'];
  const ids = await untilStatuses(api, { channel: connected, statuses: held });

  await retryDelivery(api, deliveryId);
  await untilStatuses(api, { channel: connected, statuses: held.map(() => 'delivered') });

  const arrived = hook.deliveries().map(({ headers }) => headers['x-service-delivery-id']);
  t.deepEqual(arrived, [ids[0], ids[2], ids[4], ids[0], ids[1], ids[3]]);
});

test('a manual retry sends only the requested delivery of a blocked conversation', async (t) => {
  const { api, connected, hook, sender } = await connectedWith(t, await sharedSystem(t), oneFailure);
  await sender.message(connected, { from: anna });
  await untilStatuses(api, { channel: connected, statuses: ['retrying'] });
  for (let count = 0; count < 2; count++) await sender.message(connected, { from: anna });
  const ids = await untilStatuses(api, { channel: connected, statuses: ['retrying', 'pending', 'pending'] });

  await retryDelivery(api, ids[2]!);
  await untilStatuses(api, { channel: connected, statuses: ['retrying', 'pending', 'delivered'] });

  const arrived = hook.deliveries().map(({ headers }) => headers['x-service-delivery-id']);
  t.deepEqual(arrived, [ids[0], ids[2]]);
});

test('conversations stay in order at a receiver that fails at random', async (t) => {
  t.timeout(900_000);
  // No delivery may exhaust its schedule within the test, even behind an open circuit.
  const env = { RETRY_SCHEDULE_SECONDS: [...Array(60).fill('0.3'), '3600'].join(), CIRCUIT_PROBE_SECONDS: '0.3,0.6' };
  const { channel, ...system } = await startSystem(t, { env });
  const random = randomFrom(7);
  // A retry counts only if nothing was accepted since the first failure of its delivery, so first attempts must open
  // the circuit: there are more conversations than the failures that it takes.
  const wasProbed = () => system.lines.some((line) => line.includes('destination.probed'));
  let answers = 0;
  let failures = 0;
  const answerTo = () => {
    const isDown = ++answers > 100 && !wasProbed();
    if (!isDown && !random.chance(0.2)) return undefined;
    failures++;
    return { status: 500 };
  };
  const arrivals = await countArrivals(t, { answerTo });
  const connected = await channel({ webhookUrl: arrivals.url });
  const burst = publishBurst({ ...system, resourceIds: [connected.resourceId], count: 600, lanes: 100 });
  await burst.done;
  await untilArrived(arrivals, { messageIds: burst.acknowledged, timeoutMs: 240_000 });

  const { lost, disordered } = tally(t, { acknowledged: burst.acknowledged, arrivals });
  t.deepEqual({ lost, disordered }, { lost: 0, disordered: 0 });
  t.true(failures > 100, `${failures} failures`);
  t.true(wasProbed(), 'the circuit opened at least once');
});
