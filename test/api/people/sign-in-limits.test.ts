import test, { type ExecutionContext } from 'ava';
import { opaqueTokenHash } from '../../../db/core/opaque-tokens.ts';
import { testApi, type TestApi } from '../../harness/api/api.ts';
import { respelled } from '../../harness/api/base64url-spellings.ts';
import { type CodesByMail, codesByMail } from '../../harness/people/email-codes.ts';
import { testSigningRing } from '../../harness/tenants.ts';

const EMAIL = 'ann@example.com';
const SIGN_IN = 'POST /auth/sign-in';
const COMPLETE = 'POST /auth/sign-in/complete';

type SignInApi = TestApi & CodesByMail;

/** Runs behind a proxy that reports client addresses. */
async function aSignInApi(t: ExecutionContext): Promise<SignInApi> {
  const codes = await codesByMail(t);
  return { ...(await testApi(t, { starts: codes.temporal, trustProxy: true })), ...codes };
}

interface From {
  readonly email?: string;
  readonly address: string;
  readonly cookie?: string | undefined;
}

function ask({ call }: SignInApi, { email = EMAIL, address, cookie = '' }: From) {
  return call(SIGN_IN, { body: { email }, headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) } });
}

/** Returns the cookie that marks the browser as known. */
async function signIn(api: SignInApi, from: From): Promise<string> {
  const { body } = await ask(api, from);
  const { address, cookie = '', email = EMAIL } = from;
  const { headers } = await api.call(COMPLETE, {
    body: { registrationId: body.registrationId, otp: api.codeFor(email) },
    headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) },
  });
  const [, known = ''] = headers.getSetCookie();
  return known.slice(0, known.indexOf(';'));
}

/** Requests codes until strangers receive no more for this address. */
async function exhaust(api: SignInApi, email = EMAIL): Promise<void> {
  for (let stranger = 1; stranger <= 4; stranger++) {
    for (let count = 0; count < 5; count++) await ask(api, { email, address: `198.51.100.${stranger}` });
  }
}

const statuses = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

test("the owner of an address signs in despite a stranger's requests", async (t) => {
  const api = await aSignInApi(t);
  for (let count = 0; count < 5; count++) t.is((await ask(api, { address: '198.51.100.1' })).status, 202);
  const refused = await ask(api, { address: '198.51.100.1' });
  t.is(refused.body.code, 'RATE_LIMITED');
  t.true(Number(refused.headers.get('retry-after')) > 3_000);
  t.truthy(await signIn(api, { address: '203.0.113.1' }));
});

test("a known browser signs in from anywhere despite strangers' requests", async (t) => {
  const api = await aSignInApi(t);
  const cookie = await signIn(api, { address: '203.0.113.1' });
  t.regex(cookie, /^__Host-service_known=/);
  await exhaust(api);
  t.is((await ask(api, { address: '203.0.113.9' })).body.code, 'RATE_LIMITED');
  t.truthy(await signIn(api, { address: '203.0.113.9', cookie }));
});

/** Signs a mark like the service, with any time. */
function markOf(madeAtSeconds: number): string {
  const { bytes: key } = testSigningRing.active('known-browser');
  const head = `${madeAtSeconds}.${'A'.repeat(43)}`;
  return `${head}.${opaqueTokenHash(key, 'known-browser-tag', `${head}/${EMAIL}`).toString('base64url')}`;
}

test('a browser mark belongs to one address and expires after a year', async (t) => {
  const api = await aSignInApi(t);
  const cookie = await signIn(api, { address: '203.0.113.1' });
  await exhaust(api, 'bob@example.com');
  await exhaust(api);
  const [name = '', mark = ''] = cookie.split('=');
  const [madeAt = '', random = '', tag = ''] = mark.split('.');
  const others = [
    `${name}=${madeAt}.${random}.${'A'.repeat(43)}`,
    `${name}=${Number(madeAt) + 1}.${random}.${tag}`,
    `${name}=${madeAt}.${'A'.repeat(43)}.${tag}`,
    `${name}=~~${random}`,
    `${name}=${madeAt}.${random}.${respelled(tag)}`,
    `service_known=${mark}`,
    `${name}=${markOf(Math.floor(Date.now() / 1000) - 366 * 86_400)}`,
  ];
  for (const changed of others)
    t.is((await ask(api, { address: '203.0.113.9', cookie: changed })).status, 429, changed);
  t.is((await ask(api, { email: 'bob@example.com', address: '203.0.113.9', cookie })).status, 429);
  const recent = `${name}=${markOf(Math.floor(Date.now() / 1000) - 364 * 86_400)}`;
  for (const good of [cookie, recent]) t.is((await ask(api, { address: '203.0.113.9', cookie: good })).status, 202);
});

test('a browser keeps marks of several addresses, one per address', async (t) => {
  const api = await aSignInApi(t);
  let cookie = '';
  for (const email of [EMAIL, 'bob@example.com', EMAIL]) {
    cookie = await signIn(api, { email, address: '203.0.113.1', cookie });
  }
  t.is(cookie.split('~').length, 2);
  t.false(cookie.includes('ann') || cookie.includes(Buffer.from(EMAIL).toString('base64url')));
  await exhaust(api);
  await exhaust(api, 'bob@example.com');
  const asking = [EMAIL, 'bob@example.com'].map((email) => ask(api, { email, address: '203.0.113.9', cookie }));
  t.deepEqual(await statuses(asking), [202, 202]);
});

test('limits and answers do not reveal known addresses', async (t) => {
  const api = await aSignInApi(t);
  await signIn(api, { address: '203.0.113.1' });
  await api.db('email_registrations').update({ created_at: new Date(Date.now() - 86_400_000) });
  for (const email of [EMAIL, 'nobody@example.com']) {
    for (let stranger = 1; stranger <= 4; stranger++) {
      const address = `198.51.100.${stranger}`;
      const asking = Array.from({ length: 6 }, () => ask(api, { email, address, cookie: stranger > 2 ? 'a=b' : '' }));
      t.deepEqual((await statuses(asking)).sort(), [202, 202, 202, 202, 202, 429], email);
    }
    t.is((await ask(api, { email, address: '198.51.100.9' })).status, 429);
  }
});
