import { readFile } from 'node:fs/promises';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { webhookSecretText } from '../../contract/deliveries/signature.ts';
import { idKeyFrom } from '../../contract/ids.ts';
import { signingSecret } from '../../activities/signing/open-secret.ts';
import { createSignBatch, createSignDelivery } from '../../activities/signing/sign-delivery.ts';

interface GatheredEvent {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly event: unknown;
}

const EXAMPLE = new URL('../../docs/examples/receivers/node/gathered-events.mjs', import.meta.url);
const { eventsOf } = (await import(EXAMPLE.href)) as {
  eventsOf: (headers: Readonly<Record<string, string>>, rawBody: Buffer) => readonly GatheredEvent[];
};

const secret = webhookSecretText(Buffer.alloc(32, 1).toString('base64'));
const deps = { idKey: idKeyFrom(Buffer.alloc(48, 7)), openSecret: () => signingSecret(secret) };
const owner = { channelId: 'ch_00000001', sealedSecrets: ['sealed'] };
const aPart = (id: number, body: string) => {
  const named = { id, eventId: id, eventType: 'chatapp.message.received', number: 1 } as const;
  return { ...named, body: Buffer.from(body) };
};
const texts = ['{"text":"👋 \\u00e9"}', '{"id":12345678901234567890}'];

test('the example returns the events of a signed array', (t) => {
  const parts = texts.map((text, index) => aPart(index + 1, text));
  const { headers, body } = createSignBatch(deps)(owner, parts);
  t.notThrows(() => new Webhook(secret).verify(body, headers));
  t.true(body.includes(texts[1]!), 'byte for byte');
  const events = eventsOf(headers, body);
  t.is(events.length, 2);
  t.deepEqual(events[0]!.event, JSON.parse(texts[0]!));
  t.not(events[0]!.deliveryId, events[1]!.deliveryId);
  const again = createSignBatch(deps)(owner, parts);
  t.is(again.headers['webhook-id'], headers['webhook-id']);
  t.not(createSignBatch(deps)(owner, parts.slice(1)).headers['webhook-id'], headers['webhook-id']);
});

test('the example returns a single event in the same form', (t) => {
  const part = aPart(1, texts[0]!);
  const single = createSignDelivery(deps)({ ...owner, ...part }, 1);
  const { headers, body } = createSignBatch(deps)(owner, [part]);
  t.deepEqual(JSON.parse(JSON.stringify(eventsOf(single, part.body))), eventsOf(headers, body));
});

test('the guide shows the code of the example', async (t) => {
  const [guide, example] = await Promise.all([
    readFile(new URL('../../docs/receiving.md', import.meta.url), 'utf8'),
    readFile(EXAMPLE, 'utf8'),
  ]);
  t.true(guide.includes(example.slice(example.indexOf('export function'))));
});
