import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import test from 'ava';
import { PlatformRejected } from '../../../platform/client/errors.ts';
import { withLongerLimits } from '../../harness/time/longer-limits.ts';
import { account, type Answer, json, mediaFor, type Seen, signal, refusal } from './test-server.ts';
import { onLoopback } from '../../harness/connections/loopback.ts';

test("a create sends a form, the token header and the secret's proof", async (t) => {
  const { media, seen } = await mediaFor(t, [json({ id: '17' })]);
  const caption = '#one & two=3 + ü\n100%';
  t.deepEqual(await media.createContainer(account, { caption, image_url: 'https://a.example/?b=c' }, signal), {
    outcome: 'accepted',
    id: '17',
  });
  const [{ call, body, headers, proof }] = seen as [Seen];
  t.is(call, 'POST /v25.0/4711/media');
  t.is(headers['content-type'], 'application/x-www-form-urlencoded');
  t.is(headers.authorization, `Bearer ${account.token}`);
  t.is(proof, createHmac('sha256', 'app secret').update(account.token).digest('hex'));
  t.true(body.startsWith('caption=%23one'));
  t.deepEqual(Object.fromEntries(new URLSearchParams(body)), { caption, image_url: 'https://a.example/?b=c' });
});

test('a publish names the container', async (t) => {
  const { media, seen } = await mediaFor(t, [json({ id: '18' })]);
  t.deepEqual(await media.publishContainer(account, '17', signal), { outcome: 'accepted', id: '18' });
  t.is(seen[0]?.call, 'POST /v25.0/4711/media_publish');
  t.is(seen[0]?.body, 'creation_id=17');
});

test('a refused write has codes, a reason and a text for users', async (t) => {
  const reasons = [
    [9007, 2207027, { kind: 'not_ready', code: 'CONTAINER_NOT_READY', retryAfterSeconds: 60 }],
    [9, 2207042, { kind: 'quota', code: 'PUBLISH_QUOTA_EXCEEDED', retryAfterSeconds: 3_600 }],
    [24, 2207008, { kind: 'temporary', code: 'PLATFORM_UNAVAILABLE', retryAfterSeconds: 60 }],
    [190, 463, { kind: 'credential', code: 'CREDENTIAL_REFUSED', retryAfterSeconds: null }],
    [506, null, { kind: 'duplicate', code: 'DUPLICATE_POST', retryAfterSeconds: null }],
  ] as const;
  for (const [code, subcode, meaning] of reasons) {
    const { media, seen } = await mediaFor(t, [
      refusal({ code, error_subcode: subcode, message: 'technical', error_user_msg: 'Said to\npeople.' }),
    ]);
    t.like(await media.publishContainer(account, '17', signal), {
      outcome: 'rejected',
      code,
      subcode,
      text: 'Said to people.',
      refusal: meaning,
    });
    t.is(seen.length, 1);
  }
  const { media } = await mediaFor(t, [(response) => response.writeHead(403).end('<html>')]);
  const answer = await media.createContainer(account, {}, signal);
  t.like(answer, { outcome: 'rejected', code: null, subcode: null, refusal: { code: 'PLATFORM_REJECTED' } });
});

test('a write without a usable answer is lost, not retried', async (t) => {
  const lost: Record<string, Answer> = {
    fault: refusal({ code: 2, message: 'away' }, 503),
    transient: refusal({ code: 4711, is_transient: true, message: 'again' }),
    unknown: refusal({ code: 1, message: 'unknown' }),
    server: refusal({ code: -1, error_subcode: 2207001, message: 'server' }),
    reset: (response) => response.destroy(),
    silence: () => undefined,
    cut: (response) => void response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
    idless: json({ success: true }),
    oddId: json({ id: '../me' }),
    text: (response) => response.end('accepted'),
    redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  };
  for (const [name, answer] of Object.entries(lost)) {
    const act = async (timeoutMs: number) => {
      const { media, seen } = await mediaFor(t, [answer], { timeoutMs });
      const answers = await Promise.all([
        media.createContainer(account, {}, signal),
        media.publishContainer(account, '17', signal),
      ]);
      return [...answers.map(({ outcome }) => outcome), seen.length];
    };
    const isTooEarly = (result: Awaited<ReturnType<typeof act>>): boolean => result.at(-1) !== 2;
    const lostOnes = await (name === 'silence' ? withLongerLimits(act, { isTooEarly }) : act(60_000));
    t.deepEqual(lostOnes, ['lost', 'lost', 2], name);
  }
});

test('an aborted write is lost after sending and refused before', async (t) => {
  const abort = new AbortController();
  const { media, seen } = await mediaFor(t, [() => abort.abort()]);
  t.like(await media.createContainer(account, {}, abort.signal), { outcome: 'lost' });
  t.like(await media.createContainer(account, {}, abort.signal), {
    outcome: 'rejected',
    refusal: { kind: 'temporary' },
  });
  t.is(seen.length, 1);
});

test('a write that could not be sent is a temporary refusal', async (t) => {
  const { url, stop } = await onLoopback(createServer());
  await stop();
  for (const apiUrl of [url, 'http://nowhere.invalid']) {
    const { media } = await mediaFor(t, [], { apiUrl });
    const answer = await media.createContainer(account, {}, signal);
    t.like(answer, { outcome: 'rejected', code: null, refusal: { kind: 'temporary' } }, apiUrl);
    t.regex(
      answer.outcome === 'rejected' ? answer.text : '',
      /^Nothing was sent: .*(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)/,
    );
  }
});

test('a connection closed after an answer fails no later write', async (t) => {
  const { media, seen } = await mediaFor(t, [json({ id: '1' })]);
  for (let count = 0; count < 3; count++) await media.createContainer(account, {}, signal);
  t.deepEqual(
    seen.map(({ headers }) => headers.connection),
    ['close', 'close', 'close'],
  );
});

test('texts have one bounded line without the token or the secret', async (t) => {
  const said = `Malformed\r\naccess token ${account.token} ${encodeURIComponent(account.token)} app secret `;
  const error = { code: 100, message: `${said}${'x'.repeat(280)}${account.token}` };
  const { media } = await mediaFor(t, [refusal(error), refusal(error), refusal(error, 500)]);
  const answer = await media.createContainer(account, {}, signal);
  const read = await t.throwsAsync(media.readPermalink(account, '1', signal), { instanceOf: PlatformRejected });
  const lost = await media.createContainer(account, {}, signal);
  const texts = [answer, lost].map((each) => ('text' in each ? each.text : ''));
  for (const shown of [...texts, read?.text ?? '']) {
    t.regex(shown, /Malformed access token \[redacted\] \[redacted\] \[redacted\] x+/);
    t.notRegex(shown, /EAAB|\n/);
    t.true(shown.length <= 360);
  }
  t.notRegex(JSON.stringify(read) + String(read?.stack), /Malformed|EAAB/);
});
