import test from 'ava';
import { fieldsOf } from '../harness/fields-of.ts';
import { type CallOptions, refusedCall, type Script, startStage } from './stage.ts';

const page = '/platform/v25.0/1000';
const script: Script = { 'GET /1000': { json: { id: '1000' } }, 'POST /1000/feed': { json: { id: '1000_5' } } };
const stage = { script };
const codes = ['VALIDATION_ERROR'];
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const many = (count: number) => Array.from({ length: count }, (_, at) => [`a${at}`, '1'] as const);
const queryOf = (count: number) =>
  many(count)
    .map(([name]) => `${name}=`)
    .join('&');
const nested = (depth: number) => `${'comments{'.repeat(depth)}id${'}'.repeat(depth)}`;

const refused: readonly (readonly [string, string, CallOptions, RegExp])[] = [
  ['a list of 8,193 fields in the query', `GET ${page}?fields=${'a'.repeat(8_193)}`, {}, /longer than 8192/],
  ['a list of 40 KB in a form', `POST ${page}/feed`, { body: `fields=${'a'.repeat(40_000)}`, headers: form }, /8192/],
  ['a list of 120 KB of blanks in JSON', `POST ${page}/feed`, { json: { fields: ' '.repeat(120_000) } }, /8192/],
  ['fields of 17 levels', `GET ${page}?fields=${nested(17)}`, {}, /16 levels/],
  ['a name of 257 characters in the query', `GET ${page}?${'a'.repeat(257)}=1`, {}, /name longer than 256/],
  ['a long name in JSON', `POST ${page}/feed`, { json: { ['a'.repeat(100_000)]: '1' } }, /name longer than 256/],
  ['501 parameters in the query', `GET ${page}?${queryOf(501)}`, {}, /500/],
  ['501 parameters in a form', `POST ${page}/feed`, { body: 'a&'.repeat(500), headers: form }, /500 parameters/],
  ['501 members of JSON', `POST ${page}/feed`, { json: Object.fromEntries(many(501)) }, /500 parameters/],
  [
    '20,001 values in JSON',
    `POST ${page}/feed`,
    { json: { a: Array.from({ length: 20_001 }, () => 1) } },
    /20000 values/,
  ],
  [
    '20,001 lists in JSON',
    `POST ${page}/feed`,
    { json: { a: Array.from({ length: 10_001 }, () => []) } },
    /20000 values/,
  ],
  ['a query of more than 16 KiB', `GET ${page}?a=${'a'.repeat(16 * 1024)}`, {}, /longer than 16384/],
];

for (const [what, route, options, message] of refused) {
  test(`a call with ${what} is refused without a platform call`, async (t) => {
    const { status, text, body } = await refusedCall(t, route, { codes, options, stage });
    t.is(status, 400);
    t.regex(String(body['message']), message);
    t.true(text.length < 500, 'the message quotes no long text');
  });
}

test('a query that is too long is refused before parsing', async (t) => {
  const options = { token: null };
  const route = `GET ${page}?access_token=x&${'['.repeat(16 * 1024)}]`;
  await refusedCall(t, route, { codes, options, stage });
});

test('parameters within the limits are forwarded', async (t) => {
  const { call } = await startStage(t, { script });
  const fields = `${'comments,'.repeat(900)}id`;

  const answers = [
    await call(`GET ${page}?fields=${fields}`),
    await call(`GET ${page}?fields=${nested(16)}`),
    await call(`GET ${page}?${'a'.repeat(256)}=1`),
    await call(`POST ${page}/feed`, {
      body: queryOf(500),
      headers: form,
    }),
    await call(`POST ${page}/feed`, { json: Object.fromEntries(many(500)) }),
    await call(`POST ${page}/feed`, { json: { message: 'a'.repeat(500_000) } }),
    await call(`POST ${page}/feed`, { json: { message: 'a, '.repeat(90_000) } }),
  ];

  t.deepEqual(
    fieldsOf(answers, 'status'),
    answers.map(() => 200),
  );
});

test('a form whose values hide too many values names an unknown object', async (t) => {
  const { call, seen } = await startStage(t, { script });

  const body = `attached_media=[${'{"media_fbid":"1000_5"},'.repeat(10_001)}{}]`;
  const answer = await call(`POST ${page}/feed`, { body, headers: form });

  t.is(answer.status, 403, answer.text);
  t.false(seen.some(({ method }) => method === 'POST'));
});
