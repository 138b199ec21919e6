import { createHmac, randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { decodeJwt, SignJWT } from 'jose';
import { signedIn, EMAIL, type SignedIn } from '../../harness/people/computed-secrets.ts';
import { derivedKeys, dumpDatabase, keysInDump, textOfDump } from '../../harness/database/database-dump.ts';

/** Labels of derived keys, current and former: they are public in the code. */
const labels = [
  'session access token',
  ...['access-token', 'refresh-token', 'onboarding-form', 'known-browser', 'email-code', 'client-address'].map(
    (purpose) => `signing/${purpose}`,
  ),
  'signing/demo-staff-key',
];

const mac = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

test('no value in the database is the key of a computed secret', async (t) => {
  const { api, secrets } = await signedIn(t);
  const keys = keysInDump(await dumpDatabase(api.db)).flatMap((key) => derivedKeys(key, labels));
  t.true(keys.length > 1_000);
  for (const { name, isMadeWith } of secrets) t.false(keys.some(isMadeWith), name);
});

test('each computed secret is made with exactly one derived key', async (t) => {
  const { secrets } = await signedIn(t);
  const keys = derivedKeys(Buffer.alloc(32, 7), labels);
  for (const { name, isMadeWith } of secrets) t.is(keys.filter(isMadeWith).length, 1, name);
});

/** Keys that a reader of the old code tries first, and some that are in every dump. */
async function likelyKeys({ api }: SignedIn): Promise<Buffer[]> {
  const { id_key: idKey, token_salt: salt } = await api.db('installation').first();
  const session = await api.db('sessions').first();
  return [salt, idKey, session.token_hash, session.refresh_hash].flatMap((key: Buffer) => derivedKeys(key, labels));
}

/** Every access token that a dump suffices to forge. */
async function forgedAccessTokens(stage: SignedIn): Promise<string[]> {
  const session = await stage.api.db('sessions as s').join('users as u', 'u.id', 's.user_id').first('*', 'u.public_id');
  const sid = session.token_hash.toString('base64url');
  const claims = { ...decodeJwt(stage.accessToken), sid, sub: session.public_id };
  const tokens = (await likelyKeys(stage)).flatMap((key) =>
    [{}, { kid: 'test' }, { kid: 'none' }, { kid: '' }].map((header) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header }).sign(key),
    ),
  );
  return await Promise.all(tokens);
}

test('a forged access token is refused', async (t) => {
  const stage = await signedIn(t);
  for (const key of await forgedAccessTokens(stage)) {
    await stage.api.refused('AUTH_REQUIRED', 'GET /auth/session', { key });
  }
  t.is((await stage.api.call('GET /auth/session', { key: stage.accessToken })).status, 200);
});

test('a forged refresh token neither signs in nor ends the session', async (t) => {
  const stage = await signedIn(t);
  const { token_hash: tokenHash } = await stage.api.db('sessions').first();
  for (const key of await likelyKeys(stage)) {
    const head = `${tokenHash.toString('base64url')}.${randomBytes(32).toString('base64url')}`;
    const refreshToken = `${head}.${mac(key, `refresh-tag/${head}`)}`;
    await stage.api.refused('AUTH_REQUIRED', 'POST /auth/refresh', { body: { refreshToken } });
  }
  t.is((await stage.api.call('GET /auth/session', { key: stage.accessToken })).status, 200);
});

test('no value in the database is a session cookie', async (t) => {
  const { api, cookie } = await signedIn(t);
  const [name = ''] = cookie.split('=');
  for (const { token_hash, refresh_hash } of await api.db('sessions')) {
    for (const value of [token_hash, refresh_hash].map((hash: Buffer) => hash.toString('base64url'))) {
      await api.refused('AUTH_REQUIRED', 'GET /auth/session', { headers: { cookie: `${name}=${value}` } });
    }
  }
  t.is((await api.call('GET /auth/session', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status, 200);
});

test('a forged onboarding form is refused', async (t) => {
  const stage = await signedIn(t);
  const browser = 'A'.repeat(43);
  for (const key of await likelyKeys(stage)) {
    const response = await fetch(`${stage.api.url}${stage.linkPath}/begin`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `__Host-service_connect=${browser}`, origin: 'null' },
      body: new URLSearchParams({ proof: mac(key, `onboarding-form/${browser}`) }),
    });
    t.is(response.status, 400);
  }
});

test('a forged mark does not make a browser known', async (t) => {
  const stage = await signedIn(t);
  for (const key of await likelyKeys(stage)) {
    const head = `${Math.floor(Date.now() / 1000)}.${randomBytes(32).toString('base64url')}`;
    const cookie = `__Host-service_known=${head}.${mac(key, `known-browser-tag/${head}/${EMAIL}`)}`;
    await stage.api.call('POST /auth/sign-in', { body: { email: EMAIL }, headers: { cookie } });
  }
  t.deepEqual(await stage.api.db('email_registrations').whereNotNull('browser_hash'), []);
});

test('a forged staff key is refused', async (t) => {
  const stage = await signedIn(t);
  for (const key of await likelyKeys(stage)) {
    const token = `hmok_${mac(key, 'demo-staff-key/demo')}`;
    await stage.api.refused('AUTH_REQUIRED', 'GET /staff/deliveries?reason=Call', { key: token });
  }
});

test('a database dump contains no cookie, access token or link token', async (t: ExecutionContext) => {
  const { api, cookie, accessToken, linkPath } = await signedIn(t);
  const text = textOfDump(await dumpDatabase(api.db));
  const secrets = [cookie.slice(cookie.indexOf('=') + 1), accessToken, linkPath.slice('/connect/'.length)];
  for (const secret of secrets) t.false(text.includes(secret));
  t.true(text.includes(EMAIL), 'the dump is readable');
});
