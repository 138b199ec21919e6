import { randomBytes } from 'node:crypto';
import test from 'ava';
import { columnsWith } from '../../harness/database/sealed-bodies.ts';
import { untilStatuses } from '../../harness/system/delivery-watch.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { connectedWith } from '../../harness/system/connected.ts';

test('encryption keeps message bodies out of the database', async (t) => {
  const needle = `needle-${randomBytes(12).toString('hex')}`;
  const system = await startSystem(t, { env: { ENCRYPT_EVENT_BODIES: 'true' } });
  const then = { status: 200, body: `thanks for ${needle}` };
  const { api, connected, db, hook, sender } = await connectedWith(t, system, { then });
  await sender.message(connected, { text: needle });
  const [first] = await hook.waitForDeliveries(1);
  const sent = Buffer.from(first!.bodyBase64!, 'base64').toString();
  t.true(sent.includes(needle));
  const [deliveryId] = await untilStatuses(api, { channel: connected, statuses: ['delivered'] });

  const { body: record } = await api.call(`GET /deliveries/${deliveryId}`);
  t.is(record.payload, sent);
  t.is(record.attempts[0].responseBody, `thanks for ${needle}`);
  const replayed = await api.call(`POST /deliveries/${deliveryId}/replay`, {});
  t.is(replayed.status, 202, JSON.stringify(replayed.body));
  const [, second] = await hook.waitForDeliveries(2);
  t.is(Buffer.from(second!.bodyBase64!, 'base64').toString(), sent);
  await until(async () => (await db('attempts')).length >= 2, { for: 'The second attempt' });

  t.deepEqual(await columnsWith(db, needle), []);
});
