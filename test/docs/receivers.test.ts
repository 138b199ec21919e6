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
/** As much as the platform's requests may have, and so the largest body there is. */
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

/** A delivery as the service sends it. */
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
  'bytes that are no text': Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x7d]),
  'the largest body there is': Buffer.alloc(MAX_BODY_BYTES, '👋'),
};

/** Alike for both: what a receiver must refuse, whichever signature it goes by. */
const refusals: Readonly<Record<string, () => Delivery>> = {
  'a changed body': () => ({ ...aDelivery(), body: Buffer.from(plainBody.toString().replace('"1"', '"2"')) }),
  'a body that was parsed and written anew': () => ({
    ...aDelivery(),
    body: Buffer.concat([plainBody, Buffer.from('\n')]),
  }),
  'another secret': () => aDelivery({ secrets: [otherSecret] }),
  'no signature': () => without(aDelivery(), 'x-service-signature-256', 'webhook-signature'),
  'an empty signature': () => replaced(aDelivery(), { 'x-service-signature-256': '', 'webhook-signature': '' }),
  'half a signature': () => shortened(aDelivery()),
  'a signature that is no ASCII': () =>
    replaced(aDelivery(), { 'x-service-signature-256': 'sha256=é', 'webhook-signature': 'v1,é' }),
  "a probe's header over an unsigned body": () =>
    without(replaced(aDelivery(), probeHeaders), 'x-service-signature-256', 'webhook-signature'),
  'an empty body without signature and probe': () =>
    without(aDelivery({ body: Buffer.alloc(0) }), 'x-service-signature-256', 'webhook-signature'),
};

const standardRefusals: Readonly<Record<string, () => Delivery>> = {
  'a time six minutes ago, rightly signed': () => aDelivery({ atMs: Date.now() - SIX_MINUTES_MS }),
  'a time in six minutes, rightly signed': () => aDelivery({ atMs: Date.now() + SIX_MINUTES_MS }),
  'another time than was signed': () =>
    replaced(aDelivery({ atMs: Date.now() - SIX_MINUTES_MS }), {
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    }),
  'another id than was signed': () => replaced(aDelivery(), { 'webhook-id': `wd_${randomUUID()}` }),
  'no time': () => without(aDelivery(), 'webhook-timestamp'),
  'a time that is no number': () => replaced(aDelivery(), { 'webhook-timestamp': 'NaN' }),
  'a time beyond all numbers': () => replaced(aDelivery(), { 'webhook-timestamp': '9'.repeat(5_000) }),
  'a time beyond floating point': () => replaced(aDelivery(), { 'webhook-timestamp': '9'.repeat(400) }),
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

/** One process for all tests of a language and signature: they tell their deliveries apart by id. */
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

/** What the receiver has worked on of a delivery, once it has worked on one that was sent later. */
async function workedOn(receiver: ExampleReceiver, { id }: Pick<Delivery, 'id'>): Promise<string[]> {
  const later = aDelivery();
  await post(receiver, later);
  const linesOf = (one: string): string[] => receiver.lines.filter((line) => line.includes(one));
  await until(() => linesOf(later.id).length > 0, {
    for: 'The work on a later delivery',
    detail: () => receiver.lines,
  });
  return linesOf(id);
}

/** A test of the example in each language; what is missing on this machine is named in the title of a skipped one. */
function forEachLanguage(title: string, run: (t: ExecutionContext, language: ExampleLanguage) => Promise<void>): void {
  for (const language of exampleLanguages) {
    if (language.missing === undefined) test(`${language.name}: ${title}`, (t) => run(t, language));
    else test.skip(`${language.name}: ${title} (not run: ${language.missing} is missing here)`, () => {});
  }
}

forEachLanguage('the GET probe is answered so that the webhook is saved', async (t, language) => {
  const { url } = await example(language, 'service');
  const { statusCode, body } = await request(probeUrl(url, VERIFY_TOKEN), { headers: probeHeaders });
  const answer = { kind: 'answered', status: statusCode, body: await body.text() } as const;
  t.is(judgeTokenAnswer(answer, VERIFY_TOKEN).outcome, 'passed');
});

forEachLanguage('a GET with another token or none is refused and learns nothing', async (t, language) => {
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

forEachLanguage('the empty POST probe is answered, unsigned as it is', async (t, language) => {
  const receiver = await example(language, 'service');
  const { statusCode, body } = await request(receiver.url, { method: 'POST', headers: probeHeaders });
  const answer = { kind: 'answered', status: statusCode, body: await body.text() } as const;
  t.is(judgeEmptyPostAnswer(answer).outcome, 'passed');
});

forEachLanguage('other methods are refused', async (t, language) => {
  const receiver = await example(language, 'service');
  const { id, headers, body } = aDelivery();
  const { statusCode, body: answer } = await request(receiver.url, { method: 'PUT', headers, body });
  await answer.dump();
  t.true([405, 501].includes(statusCode));
  t.deepEqual(await workedOn(receiver, { id }), []);
});

for (const signature of ['service', 'standard'] as const) {
  for (const [name, body] of Object.entries(awkwardBodies)) {
    forEachLanguage(`by the ${signature} signature ${name} is taken byte for byte`, async (t, language) => {
      const receiver = await example(language, signature);
      const delivery = aDelivery({ body });
      t.is(await post(receiver, delivery), 200);
      const line = `chatapp.message.received ${delivery.id} ${body.length} bytes`;
      t.deepEqual(await workedOn(receiver, delivery), [line]);
    });
  }

  forEachLanguage(`by the ${signature} signature either secret of a rotation is taken`, async (t, language) => {
    const receiver = await example(language, signature);
    for (const secrets of [
      [secret, otherSecret],
      [otherSecret, secret],
    ]) {
      const delivery = aDelivery({ secrets });
      t.is(await post(receiver, delivery), 200);
      t.is((await workedOn(receiver, delivery)).length, 1);
    }
  });

  const refused = { ...refusals, ...(signature === 'standard' && standardRefusals) };
  forEachLanguage(`by the ${signature} signature what is not genuine is refused with 401`, async (t, language) => {
    const receiver = await example(language, signature);
    for (const [name, make] of Object.entries(refused)) {
      const delivery = make();
      t.is(await post(receiver, delivery), 401, name);
      t.deepEqual(await workedOn(receiver, delivery), [], name);
    }
  });

  forEachLanguage(
    `by the ${signature} signature a repeated delivery is accepted and not worked on again`,
    async (t, language) => {
      const receiver = await example(language, signature);
      const delivery = aDelivery();
      const again = { ...aDelivery({ id: delivery.id, atMs: Date.now() - 60_000 }), id: delivery.id };
      t.deepEqual(await Promise.all([delivery, delivery, again].map((one) => post(receiver, one))), [200, 200, 200]);
      t.is(await post(receiver, again), 200);
      t.is((await workedOn(receiver, delivery)).length, 1);
    },
  );
}

forEachLanguage('a body that is too large is refused, rightly signed or not', async (t, language) => {
  const receiver = await example(language, 'service');
  const delivery = aDelivery({ body: Buffer.alloc(MAX_BODY_BYTES + 1, ' ') });
  t.is(await post(receiver, delivery), 413);
  t.deepEqual(await workedOn(receiver, delivery), []);
});

forEachLanguage('it does not start without its token or its secret', async (t, language) => {
  const settings = [{ VERIFY_TOKEN }, { WEBHOOK_HMAC_SECRET: secret }, { VERIFY_TOKEN, WEBHOOK_HMAC_SECRET: '' }];
  for (const one of settings) {
    const { message } = await t.throwsAsync(startExample(language, one));
    t.regex(message, /VERIFY_TOKEN and WEBHOOK_HMAC_SECRET must be set/);
  }
});
