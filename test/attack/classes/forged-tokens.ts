import { createHmac, createPublicKey, generateKeyPairSync, hkdfSync, sign as signWith } from 'node:crypto';
import type { AttackCase } from '../cases/attack-case.ts';
import { storedSalt } from './database-needles.ts';
import { call } from '../cases/http-call.ts';
import { refusalProblem } from '../cases/response-problems.ts';
import type { World } from '../cases/world.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Jwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Claims of an existing session, signed with keys that an attacker may have. */
export async function forgedTokens(world: World): Promise<AttackCase[]> {
  const { session } = world;
  if (session === undefined) return [];
  const [header = '', claims = ''] = session.accessToken
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  const token: Jwt = { header: JSON.parse(header), claims: JSON.parse(claims) };
  const salt = await storedSalt(world);
  const salts = salt === undefined ? [] : [salt, hkdfSync('sha256', salt, '', 'session access token', 32)];
  const guessed = [
    '',
    'secret',
    'service',
    JSON.stringify(token.header),
    ...salts.map((one) => Buffer.from(one as ArrayBuffer)),
  ];
  const headers: readonly Readonly<Record<string, unknown>>[] = [
    {},
    ...['../../../../dev/null', "' or 1=1 --", '', 'x'.repeat(5_000), 0, null, ['a'], '__proto__'].map((kid) => ({
      kid,
    })),
    { jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/cert' },
    { jwk: { kty: 'oct', k: Buffer.from('secret').toString('base64url') } },
    { crit: ['exp'], b64: false },
    { zip: 'DEF' },
    { typ: 'JWT' },
  ];
  const signed = guessed.flatMap((key, index) =>
    ['HS256', 'HS384', 'HS512'].flatMap((alg) =>
      headers.map(
        (more) =>
          [
            `${alg} with key ${index} and ${JSON.stringify(more).slice(0, 40)}`,
            hmacToken(token, { key, alg, more }),
          ] as const,
      ),
    ),
  );
  const unsigned = ['none', 'None', 'NONE', 'nOnE', '', null].flatMap((alg) => {
    const body = `${encode({ ...token.header, alg })}.${encode(token.claims)}`;
    return [`${body}.`, body, `${body}.AA`].map((text, form) => [`alg ${alg}, form ${form}`, text] as const);
  });
  return [...signed, ...unsigned, ...asymmetric(token), ...changed(session.accessToken)].map(([name, text]) =>
    refusedToken(world, name, text),
  );
}

function hmacToken(
  { header, claims }: Jwt,
  { key, alg, more }: { key: string | Buffer; alg: string; more: object },
): string {
  const body = `${encode({ ...header, alg, ...more })}.${encode(claims)}`;
  return `${body}.${createHmac(`sha${alg.slice(2)}`, key)
    .update(body)
    .digest('base64url')}`;
}

function asymmetric({ header, claims }: Jwt): (readonly [string, string])[] {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const body = `${encode({ ...header, alg: 'ES256', jwk })}.${encode(claims)}`;
  const signature = signWith('sha256', Buffer.from(body), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return [['ES256 with the key in the header', `${body}.${signature.toString('base64url')}`]];
}

/** Variants that a lenient parser accepts. */
function changed(token: string): (readonly [string, string])[] {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const later = encode({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), exp: 9_999_999_999 });
  return [
    ['a = behind the signature', `${token}=`],
    ['a = behind the header', `${header}=.${claims}.${signature}`],
    ['a = behind the claims', `${header}.${claims}=.${signature}`],
    ['a signature in base64', `${header}.${claims}.+/${signature.slice(2)}`],
    ['a later end', `${header}.${later}.${signature}`],
    ['no signature', `${header}.${claims}.`],
    ['a fourth part', `${token}.${signature}`],
    ['a space inside', `${header}. ${claims}.${signature}`],
    ['a changed signature', `${header}.${claims}.${signature.slice(0, -4)}AAAA`],
  ];
}

export function refusedToken({ baseUrl }: World, name: string, token: string): AttackCase {
  return {
    name: `an access token by ${name}`,
    expectation: 'AUTH_REQUIRED',
    attempt: async () =>
      refusalProblem(await call(baseUrl, 'GET /auth/session', { headers: { authorization: `Bearer ${token}` } })),
  };
}
