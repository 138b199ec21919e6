import { hkdfSync, randomBytes } from 'node:crypto';
import test from 'ava';
import { SignJWT } from 'jose';
import {
  newRefreshToken,
  readAccessToken,
  readRefreshToken,
  signAccessToken,
} from '../../../api/access/session-tokens.ts';
import type { RingKey } from '../../../db/core/secret-box.ts';
import { createSigningRing } from '../../../db/core/signing-keys.ts';
import { respelled } from '../../harness/api/base64url-spellings.ts';

const oldKey: RingKey = { id: 'old', bytes: randomBytes(32) };
const newKey: RingKey = { id: 'new', bytes: randomBytes(32) };

const ringOf = (...keys: RingKey[]) => ({ signingRing: createSigningRing(keys) });
const issuer = { tokenSalt: randomBytes(32), ...ringOf(oldKey), baseUrl: 'https://api.example.com' };
const claims = { userPublicId: 'usr_00000001', tokenHash: randomBytes(32) };
const key = new Uint8Array(hkdfSync('sha256', oldKey.bytes, '', 'signing/access-token', 32));

/** Signs with the right key. */
function token({ header = {}, payload = {} }: { header?: object; payload?: object } = {}): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const right = {
    iss: issuer.baseUrl,
    aud: 'management-api',
    sub: 'usr_00000001',
    sid: 'c2lk',
    iat: nowSeconds,
    exp: nowSeconds + 60,
  };
  return new SignJWT({ ...right, ...payload })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'old', ...header })
    .sign(key);
}

test('an access token identifies its user and session', async (t) => {
  t.deepEqual(await readAccessToken(issuer, await signAccessToken(issuer, claims)), claims);
  t.truthy(await readAccessToken(issuer, await token()));
});

test('a foreign, expired or malformed access token is refused', async (t) => {
  const wrong = [
    await signAccessToken({ ...issuer, ...ringOf({ ...oldKey, bytes: randomBytes(32) }) }, claims),
    await signAccessToken({ ...issuer, baseUrl: 'https://other.example.com' }, claims),
    await token({ payload: { aud: 'gateway' } }),
    await token({ payload: { exp: 1 } }),
    await token({ payload: { exp: undefined } }),
    await token({ payload: { sid: undefined } }),
    await token({ payload: { sub: undefined } }),
    await token({ header: { typ: 'JWT' } }),
    await token({ header: { alg: 'HS512' } }),
    await token({ header: { kid: undefined } }),
    await token({ header: { kid: '' } }),
    await token({ header: { kid: 'new' } }),
    'x.y.z',
    '',
  ];
  for (const text of wrong) t.is(await readAccessToken(issuer, text), undefined, text);
});

test('an access token is valid in one spelling only', async (t) => {
  const good = await token();
  const [head = '', payload = '', signature = ''] = good.split('.');
  const others = [
    `${good}=`,
    `${good}==`,
    `${head}=.${payload}.${signature}`,
    `${head}.${payload}=.${signature}`,
    `${head}.${payload}.${respelled(signature)}`,
    `${head}.${payload}.${signature.slice(0, 20)}\n${signature.slice(20)}`,
    `${head}.${payload}.${signature}.`,
    ` ${good}`,
  ];
  for (const text of others) t.is(await readAccessToken(issuer, text), undefined, text);
  t.truthy(await readAccessToken(issuer, good));
});

test('the first key signs access tokens, and every key verifies them', async (t) => {
  const rotated = { ...issuer, ...ringOf(newKey, oldKey) };
  const before = await signAccessToken(issuer, claims);
  const after = await signAccessToken(rotated, claims);
  t.deepEqual(await readAccessToken(rotated, before), claims);
  t.deepEqual(await readAccessToken(rotated, after), claims);
  t.is(await readAccessToken(issuer, after), undefined, 'an unknown key id');
  t.is(await readAccessToken({ ...issuer, ...ringOf(newKey) }, before), undefined, 'a removed key');
});

test('a refresh token names its session; forged tokens are refused', (t) => {
  const { token: given, hash } = newRefreshToken(issuer, claims.tokenHash);
  t.deepEqual(readRefreshToken(issuer, given), { tokenHash: claims.tokenHash, hash });
  const [sid, , tag] = given.split('.');
  const other = newRefreshToken(issuer, claims.tokenHash).token.split('.')[1];
  for (const text of [`${sid}.${other}.${tag}`, `${given}x`, `${given}=`, respelled(given), `${sid}`, '', '..']) {
    t.is(readRefreshToken(issuer, text), undefined);
  }
  t.is(readRefreshToken({ ...issuer, ...ringOf({ ...oldKey, bytes: randomBytes(32) }) }, given), undefined);
});

test('the first key tags refresh tokens, and every key verifies them', (t) => {
  const rotated = { ...issuer, ...ringOf(newKey, oldKey) };
  const before = newRefreshToken(issuer, claims.tokenHash);
  const after = newRefreshToken(rotated, claims.tokenHash);
  t.deepEqual([before.keyId, after.keyId], ['old', 'new']);
  for (const { token: given } of [before, after]) t.truthy(readRefreshToken(rotated, given));
  t.is(readRefreshToken({ ...issuer, ...ringOf(newKey) }, before.token), undefined);
});
