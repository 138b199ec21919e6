import { randomBytes } from 'node:crypto';
import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { call } from '../cases/http-call.ts';
import { envelopeOf, INGEST, postSigned, sign, SIGNATURE } from '../cases/signed-events.ts';
import { failureProblem, refusalProblem } from '../cases/response-problems.ts';
import { withHealthWatched } from '../cases/with-health-watched.ts';
import type { World } from '../cases/world.ts';

export const ingest: AttackClass = {
  name: 'ingest',
  concurrency: 2,
  cases: (world) => [
    ...unsigned(world),
    ...handshakes(world),
    ...(world.platformSecret === undefined ? [] : poisoned(world)),
  ],
};

function unsigned(world: World): AttackCase[] {
  const { baseUrl, platformSecret = randomBytes(16).toString('hex') } = world;
  const body = Buffer.from(JSON.stringify(message(world, { id: 'unsigned' })));
  const good = sign(body, platformSecret);
  const digest = good.slice('sha256='.length);
  const signatures: Readonly<Record<string, string>> = {
    'an empty signature': '',
    'a prefix alone': 'sha256=',
    'no prefix': digest,
    'another secret': sign(body, 'secret'),
    'an empty secret': sign(body, ''),
    'SHA-1': sign(body, platformSecret, 'sha1'),
    'SHA-512': sign(body, platformSecret, 'sha512'),
    'SHA-1 named SHA-256': sign(body, platformSecret, 'sha1').replace('sha1', 'sha256'),
    'a digest cut short': good.slice(0, -2),
    'a digest of one byte': 'sha256=00',
    'a digest with more behind it': `${good}00`,
    'a digest in base64': `sha256=${Buffer.from(digest, 'hex').toString('base64')}`,
    'other bytes': sign(Buffer.from('{}'), platformSecret),
    'two digests': `${sign(body, 'secret')}, ${sign(body, 'x')}`,
    'no hexadecimal digits': `sha256=${'z'.repeat(64)}`,
    'a digest of 12 KB': `sha256=${'0'.repeat(12_000)}`,
  };
  const headerSets = [{}, ...Object.values(signatures).map((signature) => ({ [SIGNATURE]: signature }))];
  const names = ['no signature', ...Object.keys(signatures)];
  const bodies: readonly (readonly [string, Uint8Array])[] = [
    ['one message', body],
    ['nothing', Buffer.alloc(0)],
    ['no JSON', Buffer.from('{')],
    ['3 MiB', Buffer.alloc(3 * 1024 * 1024, ' ')],
    ['5 MiB', Buffer.alloc(5 * 1024 * 1024, ' ')],
  ];
  return headerSets.flatMap((headers, index) =>
    bodies.map(([what, bytes]) => ({
      name: `${names[index]} over ${what}`,
      expectation: '401, 413 or 429 with the Error object',
      attempt: async () => {
        const answer = await call(baseUrl, INGEST, {
          headers: { 'content-type': 'application/json', ...headers },
          body: bytes,
        });
        return (
          refusalProblem(answer) ?? ([401, 413, 429].includes(answer.status) ? undefined : `It answers ${answer.text}`)
        );
      },
    })),
  );
}

function handshakes({ baseUrl }: World): AttackCase[] {
  const queries = [
    '',
    'hub.mode=subscribe&hub.challenge=needle',
    'hub.mode=subscribe&hub.challenge=needle&hub.verify_token=',
    'hub.mode=subscribe&hub.challenge=needle&hub.verify_token=wrong',
    'hub.mode=subscribe&hub.challenge=needle&hub.verify_token=a&hub.verify_token=b',
    'hub.mode=subscribe&hub.challenge=%3Cscript%3Eneedle&hub.verify_token[]=x',
    `hub.mode=subscribe&hub.challenge=needle&hub.verify_token=${'x'.repeat(10_000)}`,
  ];
  return queries.map((query) => ({
    name: `the handshake with ${query.slice(0, 80)}`,
    expectation: 'a refusal that does not repeat the challenge',
    attempt: async () => {
      const answer = await call(baseUrl, `GET /platform/webhooks?${query}`);
      return refusalProblem(answer) ?? (answer.text.includes('needle') ? 'It repeats the challenge.' : undefined);
    },
  }));
}

const freshId = (): string => `attack.${randomBytes(8).toString('hex')}`;

function message({ resourceId = '0' }: World, more: Readonly<Record<string, unknown>>) {
  return envelopeOf(resourceId, [
    { id: freshId(), from: '15550001', timestamp: '1', type: 'text', text: { body: 'x' }, ...more },
  ]);
}

const MOST_BYTES = 4 * 1024 * 1024;
const INGEST_DEADLINE_MS = 60_000;

/** Signed events that are hard to store must be stored or refused, without effect on the process or the next event. */
function poisoned(world: World): AttackCase[] {
  return [...messageShapes(world), ...bodyShapes(world)].map(([name, body]) => ({
    name: `signed: ${name}`,
    expectation: 'stored or refused, and the next event is stored',
    deadlineMs: INGEST_DEADLINE_MS,
    attempt: () =>
      withHealthWatched({ url: world.baseUrl, patience: world.patience }, async () => {
        const answer = await postSigned(world, body);
        const problem = failureProblem(answer);
        if (problem !== undefined) return problem;
        const next = await postSigned(world, message(world, {}));
        return next.status === 200 ? undefined : `The next event is answered ${next.status}: ${next.text}`;
      }),
  }));
}

type Shape = readonly [string, string | Uint8Array];

function messageShapes(world: World): Shape[] {
  const one = (more: Readonly<Record<string, unknown>>): string => JSON.stringify(message(world, more));
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const raw = one({ text: 'RAW' });
  return [
    ...['\0', 'a\0b', '\ud800', '\udc00\ud800', 'é'.repeat(10_000), ' ', ''].flatMap((text) => [
      [`the sender ${JSON.stringify(text).slice(0, 20)}`, one({ from: text })] as const,
      [`the id ${JSON.stringify(text).slice(0, 20)}`, one({ id: text })] as const,
      [`the type ${JSON.stringify(text).slice(0, 20)}`, one({ type: text })] as const,
      [
        `the account ${JSON.stringify(text).slice(0, 20)}`,
        JSON.stringify(envelopeOf(text, [{ id: freshId() }])),
      ] as const,
    ]),
    ...[null, 1, 1.5, -1, true, [], {}, [[]], { a: 1 }].flatMap((value) =>
      ['from', 'id', 'type', 'timestamp', 'text'].map(
        (key) => [`${key} ${JSON.stringify(value)}`, one({ [key]: value })] as const,
      ),
    ),
    ...[1_000, 10_000, 100_000].map((depth) => [`a text ${depth} deep`, raw.replace('"RAW"', nested(depth))] as const),
    ...['1e400', '9'.repeat(10_000), '1E-99999', '-0'].map(
      (number) => [`the number ${number.slice(0, 9)}`, raw.replace('"RAW"', number)] as const,
    ),
  ];
}

function bodyShapes(world: World): Shape[] {
  const { resourceId = '0' } = world;
  const raw = JSON.stringify(message(world, { text: 'RAW' }));
  const many = (count: number): string =>
    JSON.stringify(
      envelopeOf(
        resourceId,
        Array.from({ length: count }, () => ({ id: freshId(), from: '1', type: 'text' })),
      ),
    );
  const most = Math.floor(MOST_BYTES / 70);
  return [
    ['the same id twice in one body', JSON.stringify(envelopeOf(resourceId, [{ id: 'same' }, { id: 'same' }]))],
    ['an unknown account', JSON.stringify(envelopeOf('999999999999999', [{ id: freshId() }]))],
    ['two accounts in one entry', JSON.stringify(envelopeOf([resourceId, '1'], [{ id: freshId() }]))],
    ['an unknown product', '{"object":"unknown","entry":[]}'],
    ['no entries', '{"object":"chatapp"}'],
    ['entries that are no list', '{"object":"chatapp","entry":{"0":{}}}'],
    ['a key twice', raw.replace('{"object":"chatapp"', '{"object":"pageapp","object":"chatapp"')],
    ['__proto__', raw.replace('"RAW"', '{"__proto__":{"id":"x"}}')],
    ['invalid UTF-8', Buffer.concat([Buffer.from(raw.slice(0, -1)), Buffer.from([0xff, 0x7d])])],
    ['a byte order mark', `\ufeff${raw}`],
    ['a bare text', '"x"'],
    ['a bare number', '1'],
    ['1 MB of spaces', `${raw}${' '.repeat(1_000_000)}`],
    ['1,000 items', many(1_000)],
    ['8,000 items', many(8_000)],
    [`${most} items in 4 MiB`, many(most)],
    [
      '1,000 items, all of them poison',
      JSON.stringify(
        envelopeOf(
          resourceId,
          Array.from({ length: 1_000 }, () => ({ id: freshId(), from: '\0' })),
        ),
      ),
    ],
    ['one poisoned item among 1,000', many(1_000).replace('"from":"1"', String.raw`"from":"\u0000"`)],
    ['more than 4 MiB', ' '.repeat(MOST_BYTES + 1)],
    ['nothing', ''],
  ];
}
