import test from 'ava';
import fc from 'fast-check';
import { judgeEmptyPostAnswer, judgeTokenAnswer, probeHeaders, probeUrl } from '../../contract/probe.ts';

const answered = (status: number, body = '') => ({ kind: 'answered', status, body }) as const;

test('the probe asks with mode, token and challenge, and the token is both of the latter', (t) => {
  const url = new URL(probeUrl('https://example.com/hook', 'sesame'));
  t.deepEqual(
    [...url.searchParams],
    [
      ['hub.mode', 'subscribe'],
      ['hub.verify_token', 'sesame'],
      ['hub.challenge', 'sesame'],
    ],
  );
});

test("the receiver's own path, query and fragment stay as they are", (t) => {
  t.true(
    probeUrl('https://example.com/hook?key=a%20b&key=2', 'x').startsWith(
      'https://example.com/hook?key=a%20b&key=2&hub.mode=',
    ),
  );
  t.regex(probeUrl('https://example.com/#part', 'x'), /^https:\/\/example\.com\/\?hub\.mode=.*#part$/);
});

test('whatever a Verify Token holds, the receiver reads it back unharmed', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (token) => {
      const { searchParams } = new URL(probeUrl('https://example.com/hook?a=1', token));
      return searchParams.get('hub.verify_token') === token && searchParams.get('hub.challenge') === token;
    }),
  );
  t.pass();
});

test('both probes say what they are', (t) => {
  t.deepEqual(probeHeaders, {
    'x-service-probe': 'webhook-verification',
    'user-agent': 'Service-Webhook-Verifier/1.0',
  });
});

test('the GET passes with status 200 and the token as the whole body, white space around it apart', (t) => {
  t.is(judgeTokenAnswer(answered(200, 'sesame'), 'sesame'), undefined);
  t.is(judgeTokenAnswer(answered(200, '\r\n sesame\t\n'), 'sesame'), undefined);
});

for (const [name, answer, told] of [
  ['another status of the 2xx', answered(201, 'sesame'), /status 201/],
  ['a redirect', answered(302), /status 302/],
  ['an error and what it says', answered(403, '<h1>Sign\n in</h1>'), /status 403: "<h1>Sign in<\/h1>"/],
  ['the token within more', answered(200, '{"token":"sesame"}'), /another: "\{\\"token\\"/],
  ['the token in other case', answered(200, 'SESAME'), /another/],
  ['an empty body', answered(200, ' \n'), /was empty\.$/],
  ['no answer', { kind: 'silent', error: 'timeout' }, /gave no answer \(timeout\)/],
] as const) {
  test(`the GET fails on ${name}, and the user is told what came`, (t) => {
    const failure = judgeTokenAnswer(answer, 'sesame') ?? '';
    t.regex(failure, told);
    t.regex(failure, /^The GET probe expected status 200 with the Verify Token as the whole body/);
  });
}

test('the message never tells the Verify Token that was expected', (t) => {
  t.false(judgeTokenAnswer(answered(200, 'other'), 'sesame-1234')!.includes('sesame-1234'));
});

test('a long answer is cut: enough to recognise it, not to read a document through us', (t) => {
  const failure = judgeTokenAnswer(answered(500, 'x'.repeat(10_000)), 'sesame')!;
  t.true(failure.length < 400);
  t.true(failure.includes('…'));
});

test('the POST passes with any 2xx and fails with everything else', (t) => {
  for (const status of [200, 201, 202, 204, 299])
    t.is(judgeEmptyPostAnswer(answered(status)), undefined, String(status));
  for (const status of [301, 304, 400, 401, 404, 410, 500, 503]) {
    t.regex(judgeEmptyPostAnswer(answered(status)) ?? '', new RegExp(`status ${status}`));
  }
  t.regex(judgeEmptyPostAnswer({ kind: 'silent', error: 'connect_refused' })!, /no answer \(connect_refused\)/);
});
