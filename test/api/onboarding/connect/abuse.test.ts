import test from 'ava';
import { createRateLimits, type RateLimits } from '../../../../api/requests/rate-limits.ts';
import { MAX_OPEN_ATTEMPTS } from '../../../../db/onboarding/attempts.ts';
import { connectStage } from '../../../harness/onboarding/connect.ts';
import { baseUrl } from '../../../harness/api/api.ts';

const NUMBER = '100000000000011';
const CALLBACK = /connect\/callback/;

test('a state and its code work once', async (t) => {
  const { db, link, visitor } = await connectStage(t);
  const { url } = await link();
  const browser = visitor();
  const { url: back } = await browser.consent(url, [NUMBER], CALLBACK);
  t.is((await browser.open(back)).status, 200);
  const again = await browser.open(back);
  t.is(again.status, 409);
  t.regex(again.html, /already done/);
  const fresh = await browser.submit(await browser.open(url));
  const mixed = new URL(back);
  mixed.searchParams.set('state', new URL(fresh.url).searchParams.get('state') ?? '');
  t.is((await browser.open(mixed.href)).status, 502, 'a used code with a fresh state');
  t.is((await db('channels').select()).length, 1);
});

test('two simultaneous callbacks with one state connect once', async (t) => {
  const { db, link, visitor } = await connectStage(t);
  const browser = visitor();
  const { url: back } = await browser.consent((await link()).url, [NUMBER], CALLBACK);
  const answers = await Promise.all([browser.open(back), browser.open(back), browser.open(back)]);
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  t.is((await db('channels').select()).length, 1);
});

test("another browser can't continue an attempt", async (t) => {
  const { db, link, visitor } = await connectStage(t);
  const { url } = await link();
  const victim = visitor();
  const attacker = visitor();
  await victim.open(url);
  const { url: back } = await attacker.consent(url, [NUMBER], CALLBACK);
  t.is((await victim.open(back)).status, 400);
  t.is((await visitor().open(back)).status, 400, 'a browser without a cookie');
  t.is((await db('channels').select()).length, 0);
  t.is((await attacker.open(back)).status, 200, 'the attempt itself still works');
});

test('a form of another site or without the proof is refused', async (t) => {
  const { db, link, visitor } = await connectStage(t);
  const { url } = await link();
  const browser = visitor();
  const page = await browser.open(url);
  const withoutProof = { ...page, html: page.html.replace(/name="proof" value="[^"]*"/, 'name="proof" value="x"') };
  t.is((await browser.submit(withoutProof)).status, 400);
  t.is((await browser.submit(page, [], { headers: { origin: 'https://evil.example' } })).status, 400);
  t.is((await browser.submit(page, [], { headers: { 'sec-fetch-site': 'cross-site' } })).status, 400);
  t.is((await visitor().submit(page)).status, 400, 'without the cookie');
  t.is((await db('onboarding_attempts').select()).length, 0);
  const own = { headers: { origin: baseUrl, 'sec-fetch-site': 'same-origin' } };
  t.is((await browser.submit(page, [], own)).status, 200);
});

test('an attempt expires', async (t) => {
  const { db, link, visitor } = await connectStage(t);
  const browser = visitor();
  const { url } = await link();
  const { url: back } = await browser.consent(url, [NUMBER], CALLBACK);
  await db('onboarding_attempts').update({ expires_at: new Date(Date.now() - 1000) });
  const late = await browser.open(back);
  t.is(late.status, 410);
  t.true(late.html.includes(`href="${url}"`));
  const other = visitor();
  const choice = await other.consent(url, [NUMBER, '100000000000012']);
  await db('onboarding_attempts').update({ expires_at: new Date(Date.now() - 1000) });
  t.is((await other.submit(choice, [['account', NUMBER]])).status, 410);
  await browser.submit(await browser.open(url));
  t.is((await db('onboarding_attempts').whereNotNull('token_encrypted')).length, 0, 'the pending token is deleted');
  t.is((await db('channels').select()).length, 0);
});

test('invalid callbacks show a page and leave the attempt usable', async (t) => {
  const { link, visitor } = await connectStage(t);
  const browser = visitor();
  const { url: back } = await browser.consent((await link()).url, [NUMBER], CALLBACK);
  const { state, code } = Object.fromEntries(new URL(back).searchParams);
  const callback = `${baseUrl}/connect/callback`;
  const queries = [
    '',
    '?state=x',
    `?state=${state}`,
    `?state=${state}&code=`,
    `?state=${state}&code=a&code=b`,
    `?code=${code}`,
    `?state=${state}&state=${state}&code=${code}`,
    `?state=${state}&code=${'x'.repeat(5000)}`,
  ];
  for (const query of queries) {
    const { status, headers } = await browser.open(callback + query);
    t.is(status, 400, query.slice(0, 60));
    t.regex(headers.get('content-type') ?? '', /^text\/html/);
  }
  t.is((await browser.open(back)).status, 200);
});

test('failed platform calls leave no channel or credential', async (t) => {
  const { db, link, visitor, platform } = await connectStage(t);
  const { url } = await link();
  const cases = [
    { accounts: [], status: 422, says: /no account to connect/ },
    { fault: { at: 'code', expired: true }, status: 502, says: /did not accept/ },
    { fault: { at: 'code', status: 500 }, status: 504, says: /is not responding/ },
    { fault: { at: 'exchange', status: 400 }, status: 502, says: /did not accept/ },
    { fault: { at: 'accounts', status: 503 }, status: 504, says: /is not responding/ },
    { fault: { at: 'subscribe', status: 400 }, status: 502, says: /did not accept/ },
  ] as const;
  for (const { status, says, ...given } of cases) {
    platform.consent({ fault: 'fault' in given ? given.fault : null });
    const page = await visitor().consent(url, 'accounts' in given ? given.accounts : [NUMBER]);
    t.is(page.status, status, JSON.stringify(given));
    t.regex(page.html, says);
    t.true(page.html.includes(`href="${url}"`), 'the page links to the start');
  }
  for (const table of ['channels', 'connection_credentials']) t.is((await db(table).select()).length, 0);
  t.deepEqual([...new Set(await db('onboarding_attempts').pluck('status'))], ['failed']);
  platform.consent({ fault: { at: 'accounts', status: 503, times: 1 } });
  t.is((await visitor().consent(url, [NUMBER])).status, 200, 'one failed read is retried');
});

test('an unresponsive platform leaves no channel or credential', async (t) => {
  const { db, link, visitor, platform } = await connectStage(t, { timeoutMs: 300 });
  const { url } = await link();
  platform.consent({ fault: { at: 'accounts', delayMs: 3_000 } });
  const page = await visitor().consent(url, [NUMBER]);
  t.is(page.status, 504);
  t.regex(page.html, /is not responding/);
  t.true(page.html.includes(`href="${url}"`), 'the page links to the start');
  for (const table of ['channels', 'connection_credentials']) t.is((await db(table).select()).length, 0);
  t.deepEqual(await db('onboarding_attempts').pluck('status'), ['failed']);
});

test('no log line contains a token, code, state or proof', async (t) => {
  const { db, link, visitor, log, platform } = await connectStage(t);
  const { url } = await link();
  const browser = visitor();
  const { url: back } = await browser.consent(url, [NUMBER, '100000000000012'], CALLBACK);
  const choice = await browser.open(back);
  await browser.open(`${url}/begin`);
  await browser.open(`${url}/nowhere`);
  await fetch(url.replace(baseUrl, 'http://127.0.0.1:1'), {}).catch(() => undefined);
  platform.consent({ fault: { at: 'subscribe', status: 500 } });
  t.is((await browser.submit(choice, [['account', NUMBER]])).status, 504);
  platform.consent({ fault: null });
  await db.schema.renameTable('onboarding_links', 'gone');
  t.is((await browser.open(url)).status, 500);
  const { state = '', code = '' } = Object.fromEntries(new URL(back).searchParams);
  const secrets = [
    url.split('/').at(-1) ?? '',
    state,
    code,
    browser.cookies.get('__Host-service_connect') ?? '',
    'SIM.',
    'app secret',
  ];
  const lines = log.lines.map((line) =>
    JSON.stringify(line, (_, value: unknown) =>
      value instanceof Error ? `${value.stack} ${JSON.stringify(value)}` : value,
    ),
  );
  t.true(lines.some((line) => line.includes('/connect/{token}')));
  t.true(lines.some((line) => line.includes('onboarding.broken')));
  for (const secret of secrets)
    t.deepEqual(
      lines.filter((line) => line.includes(secret)),
      [],
    );
});

test('the holder of a replaced URL does not learn the new one', async (t) => {
  const { link, visitor, tenant, call } = await connectStage(t);
  const { id, url } = await link();
  const connected = visitor();
  const begun = visitor();
  const done = await connected.consent(url, [NUMBER]);
  const { url: back } = await begun.consent(url, [NUMBER], CALLBACK);
  t.true(done.html.includes(url), 'the page links to the start');
  const route = `POST /organizations/${tenant.organization.publicId}/onboarding-links/${id}/regenerate`;
  const fresh = (await call(route, { key: tenant.apiKey })).body.url;
  for (const page of [await connected.open(done.url), await begun.open(back), await begun.open(url)]) {
    t.true(page.status >= 400);
    t.false(page.html.includes(fresh));
  }
});

test('a link has a bounded number of open attempts', async (t) => {
  const { db, link, visitor } = await connectStage(t);
  const busy = await link();
  const other = await link();
  const browser = visitor();
  await browser.submit(await browser.open(busy.url));
  await db.raw(
    `insert into onboarding_attempts (onboarding_link_id, state_hash, browser_hash, expires_at)
     select onboarding_link_id, sha256(n::text::bytea), browser_hash, expires_at
     from onboarding_attempts, generate_series(2, ?) n`,
    [MAX_OPEN_ATTEMPTS],
  );
  const late = visitor();
  const refused = await late.submit(await late.open(busy.url));
  t.is(refused.status, 429);
  t.is(refused.headers.get('retry-after'), '60');
  t.is((await db('onboarding_attempts')).length, MAX_OPEN_ATTEMPTS);
  t.is((await late.submit(await late.open(other.url))).status, 200, 'another link');
  await db('onboarding_attempts').update({ expires_at: new Date(Date.now() - 3_700_000) });
  t.is((await late.submit(await late.open(busy.url))).status, 200);
  t.true((await db('onboarding_attempts')).length < MAX_OPEN_ATTEMPTS, 'abandoned attempts are deleted');
});

test('a public address begins a bounded number of attempts, a proxy any', async (t) => {
  const limits = createRateLimits({ perCredential: 10_000, perAddress: 10_000, failuresPerAddress: 10_000 });
  let clientAddress = '8.8.8.8';
  const rateLimits: RateLimits = {
    ...limits,
    countAttempt: (caller) => limits.countAttempt({ ...caller, clientAddress }),
  };
  const { db, link, visitor } = await connectStage(t, { rateLimits });
  const { url } = await link();
  const browser = visitor();
  const page = await browser.open(url);
  const begin = async (): Promise<number[]> => {
    const statuses = new Set<number>();
    for (let n = 0; n < 40; n++) statuses.add((await browser.submit(page)).status);
    return [...statuses];
  };
  t.deepEqual(await begin(), [200, 429]);
  t.is((await db('onboarding_attempts')).length, 30);

  clientAddress = '10.0.0.1';
  t.deepEqual(await begin(), [200]);
});
