import { createHmac } from 'node:crypto';
import { cookieName } from '../../../openapi/people/cookies.ts';
import { isOpaqueToken, newOpaqueToken } from '../../../db/core/opaque-tokens.ts';
import { keyOfTag, type SigningRing } from '../../../db/core/signing-keys.ts';
import type { ApiContext } from '../../requests/state.ts';
import { wrongBrowser } from './problem.ts';

const MAX_AGE_SECONDS = 86_400;

interface BrowserDeps {
  readonly signingRing: SigningRing;
  readonly baseUrl: string;
}

/** Holds a random value that tells browsers apart; an attempt goes on only in the one that began it. */
function connectCookie({ baseUrl }: Pick<BrowserDeps, 'baseUrl'>) {
  const secure = new URL(baseUrl).protocol === 'https:';
  return { name: cookieName('service_connect', { secure }), secure };
}

/** The browser's value; undefined for one that has none of the right form. */
function browserOf(ctx: ApiContext, deps: Pick<BrowserDeps, 'baseUrl'>): string | undefined {
  const value = ctx.cookies.get(connectCookie(deps).name);
  return isOpaqueToken(value) ? value : undefined;
}

export function requireBrowser(ctx: ApiContext, deps: Pick<BrowserDeps, 'baseUrl'>): string {
  const browser = browserOf(ctx, deps);
  if (browser === undefined) throw wrongBrowser();
  return browser;
}

/** The browser's value, given to it where it has none. Lax: the platform's way back to us is a navigation from outside. */
export function ensureBrowser(ctx: ApiContext, deps: Pick<BrowserDeps, 'baseUrl'>): string {
  const known = browserOf(ctx, deps);
  if (known !== undefined) return known;
  const fresh = newOpaqueToken();
  const { name, secure } = connectCookie(deps);
  // Written by hand: the cookie library refuses Secure where TLS ends in front of us.
  const end = secure ? '; Secure' : '';
  ctx.append('set-cookie', `${name}=${fresh}; Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${end}`);
  return fresh;
}

/** What a form carries to show that it is ours and this browser's. */
export function formProof({ signingRing }: Pick<BrowserDeps, 'signingRing'>, browser: string): string {
  return proofBy(signingRing.active('onboarding-form').bytes, browser);
}

function proofBy(key: Uint8Array, browser: string): string {
  return createHmac('sha256', key).update(`onboarding-form/${browser}`).digest('base64url');
}

/**
 * Refuses a form that another site has sent. Pages without a referrer post with the origin `null`, so that the origin
 * alone can't say yes; the proof does, which only our own page can hold.
 */
export function requireOwnForm(ctx: ApiContext, deps: BrowserDeps, proof: string | null): string {
  const browser = requireBrowser(ctx, deps);
  const origin = ctx.get('origin');
  const isForeign = origin !== '' && origin !== 'null' && origin !== new URL(deps.baseUrl).origin;
  const site = ctx.get('sec-fetch-site');
  if (isForeign || (site !== '' && site !== 'same-origin' && site !== 'none')) throw wrongBrowser();
  const keys = deps.signingRing.all('onboarding-form');
  if (!keyOfTag(keys, proof ?? '', (key) => proofBy(key, browser))) throw wrongBrowser();
  return browser;
}
