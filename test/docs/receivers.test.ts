import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { request } from 'undici';
import { judgeEmptyPostAnswer, judgeTokenAnswer, probeHeaders, probeUrl } from '../../contract/webhooks/probe.ts';
import { deliveryHeaders, webhookSecretText } from '../../contract/deliveries/signature.ts';
import { hmacSha256, signingSecret } from '../../activities/signing/open-secret.ts';
import { until } from '../harness/until.ts';
import { type ExampleLanguage, exampleLanguages, type ExampleReceiver, startExample } from './example-receiver.ts';

const VERIFY_TOKEN = 'open sesame+&=%2F';
const [secret = '', otherSecret = ''] = [1, 2].map((fill) =>
  webhookSecretText(Buffer.alloc(32, fill).toString('base64')),
);
/** The limit of the platform's requests, and so of deliveries. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const SIX_MINUTES_MS = 360_000;

type Headers = Readonly<Record<string, string>>;
type Signature = 'service' | 'standard';

interface Delivery {
  readonly id: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

const plainBody: Buffer = Buffer.from('{"object":"chatapp","entry":[{"id":"1"}]}');

function aDelivery({
  body = plainBody,
  secrets = [secret],
  atMs = Date.now(),
  id = `wd_${randomUUID()}`,
} = {}): Delivery {
  const named = { deliveryId: id, eventId: 'evt_00000001', eventType: 'chatapp.message.received', attempt: 1 };
  return {
    id,
    body,
    headers: deliveryHeaders({ ...named, atMs, body, secrets: secrets.map(signingSecret) }, hmacSha256),
  };
}

const awkwardBodies: Readonly<Record<string, Buffer>> = {
  'emoji, escapes and a long number': Buffer.from(
    '{"text" : "Grüße 👋🏽 \\ud83d\\udc4b \\/\\n","big":12345678901234567890}\n',
  ),
  'non-text bytes': Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x7d]),
  'the largest body': Buffer.alloc(MAX_BODY_BYTES, '👋'),
};

/** A receiver must refuse these requests with either signature. */
const refusals: Readonly<Record<string, () => Delivery>> = {
  'a changed body': () => ({ ...aDelivery(), body: Buffer.from(plainBody.toString().replace('"1"', '"2"')) }),
  'a re-serialized body': () => ({
    ...aDelivery(),
    body: Buffer.concat([plainBody, Buffer.from('\n')]),
  }),
  'another secret': () => aDelivery({ secrets: [otherSecret] }),
  'no signature': () => without(aDelivery(), 'x-service-signature-256', 'webhook-signature'),
  'an empty signature': () => replaced(aDelivery(), { 'x-service-signature-256': '', 'webhook-signature': '' }),
  'half a signature': () => shortened(aDelivery()),
  'a non-ASCII signature': () =>
    replaced(aDelivery(), { 'x-service-signature-256': 'sha256=é', 'webhook-signature': 'v1,é' }),
  'an unsigned body with a probe header': () =>
    without(replaced(aDelivery(), probeHeaders), 'x-service-signature-256', 'webhook-signature'),
  'an empty body without signature and probe header': () =>
    without(aDelivery({ body: Buffer.alloc(0) }), 'x-service-signature-256', 'webhook-signature'),
};

const standardRefusals: Readonly<Record<string, () => Delivery>> = {
  'a signed time six minutes ago': () => aDelivery({ atMs: Date.now() - SIX_MINUTES_MS }),
  'a signed time in six minutes': () => aDelivery({ atMs: Date.now() + SIX_MINUTES_MS }),
  'a changed time': () =>
    replaced(aDelivery({ atMs: Date.now() - SIX_MINUTES_MS }), {
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    }),
  'a changed id': () => replaced(aDelivery(), { 'webhook-id': `wd_${randomUUID()}` }),
  'no time': () => without(aDelivery(), 'webhook-timestamp'),
  'a non-numeric time': () => replaced(aDelivery(), { 'webhook-timestamp': 'NaN' }),
  'a time of 5,000 digits': () => replaced(aDelivery(), { 'webhook-timestamp': '9'.repeat(5_000) }),
  'a time of 400 digits': () => replaced(aDelivery(), { 'webhook-timestamp': '9'.repeat(400) }),
  'the other signature alone': () => without(aDelivery(), 'webhook-signature'),
};

function replaced({ id, headers, body }: Delivery, changed: Headers): Delivery {
  return { id, body, headers: { ...headers, ...changed } };
}

function without({ id, headers, body }: Delivery, ...names: readonly string[]): Delivery {
  return { id, body, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))) };
}

function shortened(delivery: Delivery): Delivery {
  const half = (name: string): string => (delivery.headers[name] ?? '').slice(0, 30);
  const names = ['x-service-signature-256', 'webhook-signature'];
  return replaced(delivery, Object.fromEntries(names.map((name) => [name, half(name)])));
}

/** One process per language and signature. Tests distinguish their deliveries by id. */
const running = new Map<string, Promise<ExampleReceiver>>();

async function example(language: ExampleLanguage, signature: Signature): Promise<ExampleReceiver> {
  const name = `${language.name} ${signature}`;
  const settings = { VERIFY_TOKEN, WEBHOOK_HMAC_SECRET: secret, SIGNATURE: signature };
  const started = running.get(name) ?? startExample(language, settings);
  running.set(name, started);
  return await started;
}

test.after.always(async () => {
  for (const started of await Promise.allSettled(running.values())) {
    if (started.status === 'fulfilled') await started.value.stop();
  }
});

async function post(receiver: ExampleReceiver, { headers, body }: Omit<Delivery, 'id'>): Promise<number> {
  const { statusCode, body: answer } = await request(receiver.url, { method: 'POST', headers, body });
  await answer.dump();
  return statusCode;
}

/** A later delivery shows that this one was processed. */
async function processedLines(receiver: ExampleReceiver, { id }: Pick<Delivery, 'id'>): Promise<string[]> {
  const later = aDelivery();
  await post(receiver, later);
  const linesOf = (one: string): string[] => receiver.lines.filter((line) => line.includes(one));
  await until(() => linesOf(later.id).length > 0, {
    for: 'The processing of a later delivery',
    detail: () => receiver.lines,
  });
  return linesOf(id);
}

/** Skips languages with a missing tool. */
function forEachLanguage(title: string, run: (t: ExecutionContext, language: ExampleLanguage) => Promise<void>): void {
  for (const language of exampleLanguages) {
    if (language.missing === undefined) test(`${language.name}: ${title}`, (t) => run(t, language));
    else test.skip(`${language.name}: ${title} (skipped: ${language.missing} is missing)`, () => {});
  }
}

forEachLanguage('passes the GET probe', async (t, language) => {
  const { url } = await example(language, 'service');
  const { statusCode, body } = await request(probeUrl(url, VERIFY_TOKEN), { headers: probeHeaders });
  const answer = { kind: 'answered', status: statusCode, body: await body.text() } as const;
  t.is(judgeTokenAnswer(answer, { verifyToken: VERIFY_TOKEN }).outcome, 'passed');
});

forEachLanguage('refuses a GET without the right token and reveals nothing', async (t, language) => {
  const { url } = await example(language, 'service');
  const token = encodeURIComponent(VERIFY_TOKEN);
  for (const address of [
    probeUrl(url, 'guessed'),
    url,
    `${url}?hub.mode=subscribe`,
    `${url}?hub.verify_token=${token}`,
  ]) {
    const { statusCode, body } = await request(address);
    t.is(statusCode, 403, address);
    t.false((await body.text()).includes(VERIFY_TOKEN));
  }
});

forEachLanguage('passes the unsigned POST probe', async (t, language) => {
  const receiver = await example(language, 'service');
  const { statusCode, body } = await request(receiver.url, { method: 'POST', headers: probeHeaders });
  const answer = { kind: 'answered', status: statusCode, body: await body.text() } as const;
  t.is(judgeEmptyPostAnswer(answer).outcome, 'passed');
});

forEachLanguage('refuses other methods', async (t, language) => {
  const receiver = await example(language, 'service');
  const { id, headers, body } = aDelivery();
  const { statusCode, body: answer } = await request(receiver.url, { method: 'PUT', headers, body });
  await answer.dump();
  t.true([405, 501].includes(statusCode));
  t.deepEqual(await processedLines(receiver, { id }), []);
});

for (const signature of ['service', 'standard'] as const) {
  for (const [name, body] of Object.entries(awkwardBodies)) {
    forEachLanguage(`accepts ${name} with the ${signature} signature`, async (t, language) => {
      const receiver = await example(language, signature);
      const delivery = aDelivery({ body });
      t.is(await post(receiver, delivery), 200);
      const line = `chatapp.message.received ${delivery.id} ${body.length} bytes`;
      t.deepEqual(await processedLines(receiver, delivery), [line]);
    });
  }

  forEachLanguage(`accepts both secrets of a rotation with the ${signature} signature`, async (t, language) => {
    const receiver = await example(language, signature);
    for (const secrets of [
      [secret, otherSecret],
      [otherSecret, secret],
    ]) {
      const delivery = aDelivery({ secrets });
      t.is(await post(receiver, delivery), 200);
      t.is((await processedLines(receiver, delivery)).length, 1);
    }
  });

  const refused = { ...refusals, ...(signature === 'standard' && standardRefusals) };
  forEachLanguage(`refuses forged requests with 401 by the ${signature} signature`, async (t, language) => {
    const receiver = await example(language, signature);
    for (const [name, make] of Object.entries(refused)) {
      const delivery = make();
      t.is(await post(receiver, delivery), 401, name);
      t.deepEqual(await processedLines(receiver, delivery), [], name);
    }
  });

  forEachLanguage(`processes a repeated delivery once with the ${signature} signature`, async (t, language) => {
    const receiver = await example(language, signature);
    const delivery = aDelivery();
    const again = { ...aDelivery({ id: delivery.id, atMs: Date.now() - 60_000 }), id: delivery.id };
    t.deepEqual(await Promise.all([delivery, delivery, again].map((one) => post(receiver, one))), [200, 200, 200]);
    t.is(await post(receiver, again), 200);
    t.is((await processedLines(receiver, delivery)).length, 1);
  });
}

forEachLanguage('refuses a signed body that is too large', async (t, language) => {
  const receiver = await example(language, 'service');
  const delivery = aDelivery({ body: Buffer.alloc(MAX_BODY_BYTES + 1, ' ') });
  t.is(await post(receiver, delivery), 413);
  t.deepEqual(await processedLines(receiver, delivery), []);
});

forEachLanguage('refuses to start with one sentence that names the setting', async (t, language) => {
  const settings = { VERIFY_TOKEN, WEBHOOK_HMAC_SECRET: secret };
  const unset = (name: string) => `receiver: ${name} is not set. \`channels env\` prints the values of a channel.\n`;
  for (const [given, sentence] of [
    [{ WEBHOOK_HMAC_SECRET: secret }, unset('VERIFY_TOKEN')],
    [{ ...settings, VERIFY_TOKEN: '' }, unset('VERIFY_TOKEN')],
    [{ VERIFY_TOKEN }, unset('WEBHOOK_HMAC_SECRET')],
    [{ ...settings, SIGNATURE: 'none' }, 'receiver: SIGNATURE must be service or standard.\n'],
  ] as const) {
    const { message } = await t.throwsAsync(startExample(language, given));
    t.is(message, `The example exited: ${sentence}`);
  }
});
