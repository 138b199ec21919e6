import test from 'ava';
import fc from 'fast-check';
import {
  judgeEmptyPostAnswer,
  judgeTokenAnswer,
  type ProbeAnswer,
  probeFailure,
  probeHeaders,
  probeUrl,
} from '../../../contract/webhooks/probe.ts';

const answered = (status: number, body = '') => ({ kind: 'answered', status, body }) as const;

test('the GET probe sends the Verify Token as token and challenge', (t) => {
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

test("the GET probe keeps the receiver's path, query and fragment", (t) => {
  t.true(
    probeUrl('https://example.com/hook?key=a%20b&key=2', 'x').startsWith(
      'https://example.com/hook?key=a%20b&key=2&hub.mode=',
    ),
  );
  t.regex(probeUrl('https://example.com/#part', 'x'), /^https:\/\/example\.com\/\?hub\.mode=.*#part$/);
});

test('any Verify Token survives the encoding in the URL', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (token) => {
      const { searchParams } = new URL(probeUrl('https://example.com/hook?a=1', token));
      return searchParams.get('hub.verify_token') === token && searchParams.get('hub.challenge') === token;
    }),
  );
  t.pass();
});

test('both probes identify themselves by headers', (t) => {
  t.deepEqual(probeHeaders, {
    'x-service-probe': 'webhook-verification',
    'user-agent': 'Service-Webhook-Verifier/1.0',
  });
});

test('the GET passes with status 200 and the trimmed token', (t) => {
  const passed = { outcome: 'passed', status: 200, found: null, responseBody: null, error: null };
  t.deepEqual(judgeTokenAnswer(answered(200, 'sesame'), { verifyToken: 'sesame' }), passed);
  t.deepEqual(judgeTokenAnswer(answered(200, '\r\n sesame\t\n'), { verifyToken: 'sesame' }), passed);
});

test('a body that was cut off passes no GET probe', (t) => {
  const finding = judgeTokenAnswer({ ...answered(200, 'sesame'), bodyError: 'timeout' }, { verifyToken: 'sesame' });
  t.regex(finding.found ?? '', /cut off \(timeout\)/);
  t.not(finding.outcome, 'passed');
});

for (const [name, answer, told, fields] of [
  ['another 2xx status', answered(201, 'sesame'), /status 201/, { status: 201 }],
  ['a redirect', answered(302), /status 302\.$/, { status: 302, responseBody: '' }],
  [
    'an error page',
    answered(403, '<h1>Sign\n in</h1>'),
    /status 403: "<h1>Sign in<\/h1>"\. It does not seem to know the Verify Token that the probe sent\.$/,
    { outcome: 'rejected', status: 403, responseBody: '<h1>Sign in</h1>', error: null },
  ],
  ['the token inside other text', answered(200, '{"token":"sesame"}'), /different: "\{\\"token\\"/, { status: 200 }],
  ['the token in another case', answered(200, 'SESAME'), /different/, { responseBody: 'SESAME' }],
  ['an empty body', answered(200, ' \n'), /was empty\.$/, { outcome: 'rejected', responseBody: '' }],
  [
    'no response',
    { kind: 'silent', error: 'timeout' },
    /did not respond \(timeout\)/,
    { outcome: 'no_response', status: null, responseBody: null, error: 'timeout' },
  ],
] as const) {
  test(`the GET fails on ${name} and reports it`, (t) => {
    const finding = judgeTokenAnswer(answer, { verifyToken: 'sesame' });
    t.like(finding, fields);
    const failure = probeFailure('GET', finding) ?? '';
    t.regex(failure, told);
    t.regex(failure, /^The GET probe expected status 200 with the Verify Token as the whole body/);
  });
}

test('a finding never contains the Verify Token', (t) => {
  for (const body of ['other', 'you sent hub.verify_token=sesame-1234 and hub.challenge=sesame-1234']) {
    t.false(
      JSON.stringify(judgeTokenAnswer(answered(200, body), { verifyToken: 'sesame-1234' })).includes('sesame-1234'),
    );
  }
});

test('a finding says that the token was never shown to anyone', (t) => {
  const sent = { verifyToken: 'sesame', isUnseen: true };
  for (const answer of [answered(403), answered(200, 'another token')]) {
    t.regex(
      probeFailure('GET', judgeTokenAnswer(answer, sent)) ?? '',
      /This token has not been shown to anyone yet: start/,
    );
  }
  t.is(judgeTokenAnswer(answered(200, 'sesame'), sent).outcome, 'passed');
});

test('a finding contains only the beginning of a long response', (t) => {
  const finding = judgeTokenAnswer(answered(500, 'x'.repeat(10_000)), { verifyToken: 'sesame' });
  t.true(probeFailure('GET', finding)!.length < 400);
  t.is(finding.responseBody, `${'x'.repeat(120)}…`);
});

test('every finding can be stored as JSON', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (body) => {
      const told = JSON.stringify(judgeEmptyPostAnswer(answered(500, body)));
      return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(told);
    }),
  );
  const { responseBody } = judgeEmptyPostAnswer(answered(500, `\0${'😀'.repeat(130)}`));
  t.is(responseBody, `\ufffd${'😀'.repeat(119)}…`);
});

test('the POST passes with any 2xx and fails with everything else', (t) => {
  const failure = (answer: ProbeAnswer) => probeFailure('POST', judgeEmptyPostAnswer(answer));
  for (const status of [200, 201, 202, 204, 299]) t.is(failure(answered(status)), undefined, String(status));
  for (const status of [301, 304, 400, 401, 404, 410, 500, 503]) {
    t.regex(failure(answered(status)) ?? '', new RegExp(`status ${status}`));
  }
  t.regex(
    failure({ kind: 'silent', error: 'connect_refused' })!,
    /did not respond \(connect_refused: no program listens at that address\)/,
  );
});
