import { hkdfSync, randomBytes } from 'node:crypto';
import test from 'ava';
import { SignJWT } from 'jose';
import {
  newRefreshToken,
  readAccessToken,
  readRefreshToken,
  signAccessToken,
} from '../../api/access/session-tokens.ts';

const issuer = { tokenSalt: randomBytes(32), baseUrl: 'https://api.example.com' };
const claims = { userPublicId: 'usr_00000001', tokenHash: randomBytes(32) };
const key = new Uint8Array(hkdfSync('sha256', issuer.tokenSalt, '', 'session access token', 32));

/** A token signed with the right key, right in everything but what is changed. */
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
  return new SignJWT({ ...right, ...payload }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header }).sign(key);
}

test('an access token says whose session it is of', async (t) => {
  t.deepEqual(await readAccessToken(issuer, await signAccessToken(issuer, claims)), claims);
  t.truthy(await readAccessToken(issuer, await token()));
});

test('an access token of another installation, issuer, audience, kind, algorithm or time is none', async (t) => {
  const wrong = [
    await signAccessToken({ ...issuer, tokenSalt: randomBytes(32) }, claims),
    await signAccessToken({ ...issuer, baseUrl: 'https://other.example.com' }, claims),
    await token({ payload: { aud: 'gateway' } }),
    await token({ payload: { exp: 1 } }),
    await token({ payload: { exp: undefined } }),
    await token({ payload: { sid: undefined } }),
    await token({ payload: { sub: undefined } }),
    await token({ header: { typ: 'JWT' } }),
    await token({ header: { alg: 'HS512' } }),
    'x.y.z',
    '',
  ];
  for (const text of wrong) t.is(await readAccessToken(issuer, text), undefined, text);
});

test('a refresh token names its session, and none is taken that was not given out here', (t) => {
  const { token: given, hash } = newRefreshToken(issuer, claims.tokenHash);
  t.deepEqual(readRefreshToken(issuer, given), { tokenHash: claims.tokenHash, hash });
  const [sid, , tag] = given.split('.');
  const other = newRefreshToken(issuer, claims.tokenHash).token.split('.')[1];
  for (const text of [`${sid}.${other}.${tag}`, `${given}x`, `${sid}`, '', '..']) {
    t.is(readRefreshToken(issuer, text), undefined);
  }
  t.is(readRefreshToken({ ...issuer, tokenSalt: randomBytes(32) }, given), undefined);
});
