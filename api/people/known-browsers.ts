import { cookieName, isSecure } from '../../openapi/people/cookies.ts';
import { newOpaqueToken, opaqueTokenHash } from '../../db/core/opaque-tokens.ts';
import { keyOfTag } from '../../db/core/signing-keys.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { setCookie } from '../access/session-cookie.ts';

/**
 * A cookie marks each address that has signed in with a browser. It grants no access, only a separate code limit, so
 * that strangers can't exhaust it. The mark is a tag over its time, a random part and the address, which it does not
 * reveal.
 */
type Signer = Pick<ApiDeps, 'tokenSalt' | 'signingRing' | 'deployment'>;
type Ring = Pick<Signer, 'signingRing'>;

const MARK_LIFETIME_SECONDS = 365 * 86_400;
/** The least recently used address is dropped. */
const MAX_MARKS = 4;
const SEPARATOR = '~';
const MARK = /^(\d{1,12})\.([\w-]{43})\.([\w-]{43})$/;

interface Visit {
  /** In lower case. */
  readonly email: string;
  readonly shown: string | undefined;
}

export function knownBrowsersCookieName({ deployment }: Pick<Signer, 'deployment'>): string {
  return cookieName('service_known', { secure: isSecure(deployment) });
}

export function knownBrowserHash({ tokenSalt, signingRing }: Signer, { email, shown }: Visit): Buffer | null {
  const mark = marksIn(shown).find((one) => isMarkOf({ signingRing }, { email, mark: one }));
  return mark === undefined ? null : opaqueTokenHash(tokenSalt, 'known-browser', mark);
}

export function knownBrowserCookie(signer: Signer, { email, shown }: Visit): string {
  const others = marksIn(shown).filter((mark) => !isMarkOf(signer, { email, mark }));
  const head = `${nowSeconds()}.${newOpaqueToken()}`;
  const key = signer.signingRing.active('known-browser').bytes;
  const marks = [`${head}.${tagBy(key, { head, email })}`, ...others].slice(0, MAX_MARKS);
  const name = knownBrowsersCookieName(signer);
  return setCookie({ name, value: marks.join(SEPARATOR), maxAgeSeconds: MARK_LIFETIME_SECONDS }, signer.deployment);
}

function marksIn(shown = ''): string[] {
  const marks = shown.split(SEPARATOR).slice(0, MAX_MARKS);
  return marks.filter((mark) => MARK.test(mark));
}

function isMarkOf({ signingRing }: Ring, { email, mark }: { email: string; mark: string }): boolean {
  const [, madeAt = '', random = '', tag = ''] = MARK.exec(mark) ?? [];
  if (Number(madeAt) + MARK_LIFETIME_SECONDS < nowSeconds()) return false;
  const head = `${madeAt}.${random}`;
  return keyOfTag(signingRing.all('known-browser'), tag, (key) => tagBy(key, { head, email })) !== undefined;
}

function tagBy(key: Uint8Array, { head, email }: { head: string; email: string }): string {
  return opaqueTokenHash(key, 'known-browser-tag', `${head}/${email}`).toString('base64url');
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
