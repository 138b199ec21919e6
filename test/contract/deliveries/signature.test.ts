import { createHmac } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { hmacSha256, signingSecret } from '../../../activities/signing/open-secret.ts';
import {
  deliveryHeaders,
  parseSha256Header,
  webhookSecretBase64,
  webhookSecretText,
} from '../../../contract/deliveries/signature.ts';

const AT_MS = 1_767_225_600_999;

function aSecret(fill: number): string {
  return webhookSecretText(Buffer.alloc(32, fill).toString('base64'));
}

function headersOf(body: Uint8Array, secrets = [aSecret(1)], atMs = AT_MS): Record<string, string> {
  const named = { deliveryId: 'wd_00000001', eventId: 'evt_00000001', eventType: 'chatapp.message.received' };
  return deliveryHeaders({ ...named, attempt: 3, atMs, body, secrets: secrets.map(signingSecret) }, hmacSha256);
}

/** Bodies that parsing would change. */
const bodies: Readonly<Record<string, Buffer>> = {
  'an empty body': Buffer.alloc(0),
  'a plain body': Buffer.from('{"n":1}'),
  'emoji and escapes': Buffer.from('{"text":"👋🏽 \\ud83d\\ude00 \\u0000 \\/"}'),
  'a number of 20 digits and duplicate keys': Buffer.from('{"id":12345678901234567890,"id":1.0}'),
  'bytes that are no UTF-8': Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]),
};

for (const [name, body] of Object.entries(bodies)) {
  test(`x-Service-Signature-256 of ${name} signs the raw bytes with the secret text`, (t) => {
    const secret = aSecret(1);
    const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex');
    t.is(headersOf(body)['x-service-signature-256'], `sha256=${expected}`);
  });

  test(`webhook-signature of ${name} signs id, timestamp and bytes`, (t) => {
    const signed = Buffer.concat([Buffer.from('wd_00000001.1767225600.'), body]);
    const expected = createHmac('sha256', Buffer.alloc(32, 1)).update(signed).digest('base64');
    t.is(headersOf(body)['webhook-signature'], `v1,${expected}`);
  });
}

test('webhook-signature matches the published Standard Webhooks test vector', (t) => {
  const secret = signingSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const input = { deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', eventId: 'evt_00000001', eventType: 'test', attempt: 1 };
  const body = Buffer.from('{"test": 2432232314}');
  const headers = deliveryHeaders({ ...input, atMs: 1_614_265_330_000, body, secrets: [secret] }, hmacSha256);
  t.is(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('the Standard Webhooks library verifies every text body', (t) => {
  fc.assert(
    fc.property(fc.json(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (json, bytes) => {
      const text = webhookSecretText(Buffer.from(bytes).toString('base64'));
      const headers = headersOf(Buffer.from(json), [text], Date.now());
      new Webhook(text).verify(json, headers);
      const foreign = new Webhook(aSecret(9));
      t.throws(() => foreign.verify(json, headers));
    }),
    { numRuns: 50 },
  );
});

test('during a rotation both headers verify with either secret', (t) => {
  const newest = aSecret(2);
  const older = aSecret(1);
  const body = Buffer.from('{"n":1}');
  const headers = headersOf(body, [newest, older], Date.now());

  const alone = (secret: string) => headersOf(body, [secret], Date.now());
  const both = [alone(newest), alone(older)];
  t.is(headers['x-service-signature-256'], both.map((one) => one['x-service-signature-256']).join(','));
  t.is(headers['webhook-signature']?.split(' ').length, 2);
  for (const text of [newest, older]) {
    t.notThrows(() => new Webhook(text).verify(body.toString(), headers));
  }
  const [first] = headers['webhook-signature']!.split(' ');
  t.notThrows(() => new Webhook(newest).verify(body.toString(), { ...headers, 'webhook-signature': first! }));
});

test('an attempt has exactly the documented headers', (t) => {
  const { 'x-service-signature-256': service, 'webhook-signature': standard, ...rest } = headersOf(Buffer.from('{}'));
  t.regex(service!, /^sha256=[0-9a-f]{64}$/);
  t.regex(standard!, /^v1,[A-Za-z0-9+/]{43}=$/);
  t.deepEqual(rest, {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhook-Sender/1.0',
    'x-service-delivery-id': 'wd_00000001',
    'x-service-event-id': 'evt_00000001',
    'x-service-event-type': 'chatapp.message.received',
    'x-service-attempt': '3',
    'webhook-id': 'wd_00000001',
    'webhook-timestamp': '1767225600',
  });
});

test('a retry has the same id and a new signature', (t) => {
  const body = Buffer.from('{}');
  const first = headersOf(body);
  const second = headersOf(body, undefined, AT_MS + 5_000);
  t.is(first['webhook-id'], second['webhook-id']);
  t.is(first['x-service-signature-256'], second['x-service-signature-256']);
  t.not(first['webhook-signature'], second['webhook-signature']);
});

test('the base64 part of a secret requires the prefix', (t) => {
  const base64 = Buffer.alloc(32, 5).toString('base64');
  t.is(webhookSecretBase64(webhookSecretText(base64)), base64);
  t.throws(() => webhookSecretBase64(base64));
});

test("the platform's signature header is accepted in one form only", (t) => {
  const hex = 'ab'.repeat(32);
  t.is(parseSha256Header(`sha256=${hex}`), hex);
  const forms = [undefined, '', hex, `sha1=${hex}`, `sha256=${hex.toUpperCase()}`, `sha256=${hex.slice(2)}`];
  for (const value of [
    ...forms,
    `sha256=${hex}0`,
    ` sha256=${hex}`,
    `sha256=${hex},sha256=${hex}`,
    `sha256=${hex}\n`,
  ]) {
    t.is(parseSha256Header(value), undefined, JSON.stringify(value));
  }
});
