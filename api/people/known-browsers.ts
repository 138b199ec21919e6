import { cookieName, isSecure } from '../../openapi/people/cookies.ts';
import { newOpaqueToken, opaqueTokenHash } from '../../db/core/opaque-tokens.ts';
import { keyOfTag } from '../../db/core/signing-keys.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { setCookie } from '../access/set-cookie.ts';

/**
 * A browser keeps, long after its session, a mark of each address that has signed in in it. It opens nothing: it has
 * the address' codes counted for this browser by itself, so that strangers who ask for them are in nobody's way. A mark
 * is the time that it was made at, a random part, and a tag over both and the address, by which alone we know it again:
 * nothing of it is stored, and it does not tell the address to whoever reads it.
 */
type Signer = Pick<ApiDeps, 'tokenSalt' | 'signingRing' | 'deployment'>;
type Ring = Pick<Signer, 'signingRing'>;

const MARK_LIFETIME_SECONDS = 365 * 86_400;
/** Who signs in by more addresses than these in one browser is a stranger again to the one used longest ago. */
const MAX_MARKS = 4;
const SEPARATOR = '~';
const MARK = /^(\d{1,12})\.([\w-]{43})\.([\w-]{43})$/;

interface Visit {
  /** In lower case. */
  readonly email: string;
  /** What the browser's cookie holds now. */
  readonly shown: string | undefined;
}

export function knownBrowsersCookieName({ deployment }: Pick<Signer, 'deployment'>): string {
  return cookieName('service_known', { secure: isSecure(deployment) });
}

/** Stands for a browser that the address has signed in in before; null for any other. */
export function knownBrowserHash({ tokenSalt, signingRing }: Signer, { email, shown }: Visit): Buffer | null {
  const mark = marksIn(shown).find((one) => isMarkOf({ signingRing }, { email, mark: one }));
  return mark === undefined ? null : opaqueTokenHash(tokenSalt, 'known-browser', mark);
}

/** A `Set-Cookie` header that adds the mark of the address, in place of an older one. */
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
