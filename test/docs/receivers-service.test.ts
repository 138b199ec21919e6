import { randomBytes } from 'node:crypto';
import test from 'ava';
import { untilStatuses } from '../harness/system/delivery-watch.ts';
import { startSender } from '../harness/system/platform-sender.ts';
import { sharedSystem } from '../harness/system/shared-system.ts';
import { until } from '../harness/until.ts';
import { exampleLanguages, startExample } from './example-receiver.ts';

const present = exampleLanguages.filter(({ missing }) => missing === undefined);
const names = present.map(({ name }) => name).join(', ');

test(`the examples pass probes and accept deliveries during a rotation: ${names}`, async (t) => {
  const { api, channel, ...system } = await sharedSystem(t);
  const sender = await startSender(t, system);
  for (const language of present) {
    const connected = await channel();
    const hook = `/webhook-config/${connected.publicId}`;
    const { body: hmac } = await api.call(`GET ${hook}/hmac`);
    const settings = { VERIFY_TOKEN: randomBytes(16).toString('hex'), WEBHOOK_HMAC_SECRET: hmac.hmacSecret };
    const receiver = await startExample(language, settings);
    t.teardown(receiver.stop);

    const saved = await api.call(`PUT ${hook}`, { webhookUrl: receiver.url, verifyToken: settings.VERIFY_TOKEN });
    t.is(saved.status, 200, JSON.stringify(saved.body));
    await sender.message(connected, { text: 'before the rotation 👋' });
    const [first] = await untilStatuses(api, { channel: connected, statuses: ['delivered'] });
    const rotated = await api.call(`POST ${hook}/rotate-hmac`, { overlapSeconds: 3600 });
    t.not(rotated.body.hmacSecret, hmac.hmacSecret);
    await sender.message(connected, { text: 'during the overlap' });
    const [, second] = await untilStatuses(api, { channel: connected, statuses: ['delivered', 'delivered'] });

    for (const id of [first, second]) {
      await until(() => receiver.lines.some((line) => line.startsWith(`chatapp.message.received ${id} `)), {
        for: `${language.name}'s processing of ${id}`,
      });
    }
  }
});

for (const { name, missing } of exampleLanguages.filter((one) => one.missing !== undefined)) {
  test.skip(`${name}: passes probes and accepts deliveries (skipped: ${missing} is missing)`, () => {});
}
