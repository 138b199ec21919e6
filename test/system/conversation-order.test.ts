import test from 'ava';
import { untilStatuses } from './delivery-watch.ts';
import { startSender } from './platform-sender.ts';
import { startSystem } from './system.ts';

const [anna, bert] = ['15550000001', '15550000002'];

test.serial(
  'a failing delivery holds back the later ones of its conversation until it is through, and no other',
  async (t) => {
    const { api, channel, receiver, ...system } = await startSystem(t, { env: { RETRY_SCHEDULE_SECONDS: '600' } });
    const sender = await startSender(t, system);
    const hook = receiver.webhook('order');
    hook.set({ answers: [{ status: 503 }] });
    const connected = await channel({ webhookUrl: hook.url });
    await sender.message(connected, { from: anna });
    const [deliveryId] = await untilStatuses(api, { channel: connected, statuses: ['retrying'] });
    for (const from of [anna, bert, anna, bert]) await sender.message(connected, { from });
    const held = ['retrying', 'pending', 'delivered', 'pending', 'delivered'];
    const ids = await untilStatuses(api, { channel: connected, statuses: held });

    await api.call(`POST /deliveries/${deliveryId}/retry`);
    await untilStatuses(api, { channel: connected, statuses: held.map(() => 'delivered') });

    const arrived = hook.deliveries().map(({ headers }) => headers['x-service-delivery-id']);
    t.deepEqual(arrived, [ids[0], ids[2], ids[4], ids[0], ids[1], ids[3]]);
  },
);

test.serial('a failing delivery holds its conversation no longer than the limit', async (t) => {
  const holdSeconds = 2;
  const env = { RETRY_SCHEDULE_SECONDS: '600', CONVERSATION_HOLD_SECONDS: String(holdSeconds) };
  const { api, channel, receiver, ...system } = await startSystem(t, { env });
  const sender = await startSender(t, system);
  const hook = receiver.webhook('hold');
  hook.set({ answers: [{ status: 503 }] });
  const connected = await channel({ webhookUrl: hook.url });
  await sender.message(connected, { from: anna });
  await untilStatuses(api, { channel: connected, statuses: ['retrying'] });
  await sender.message(connected, { from: anna });
  await untilStatuses(api, { channel: connected, statuses: ['retrying', 'delivered'] });

  const [first, second] = hook.deliveries().map(({ receivedAt }) => Date.parse(receivedAt));
  t.true(second! - first! >= holdSeconds * 1000, `the second came ${second! - first!} ms after the first`);
});
