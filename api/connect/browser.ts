import { createHmac, timingSafeEqual } from 'node:crypto';
import { isOpaqueToken, newOpaqueToken } from '../../db/opaque-tokens.ts';
import type { ApiContext } from '../state.ts';
import { wrongBrowser } from './problem.ts';

/** Holds a random value that tells browsers apart; an attempt goes on only in the one that began it. */
const COOKIE = 'service_connect';
const MAX_AGE_SECONDS = 86_400;

interface BrowserDeps {
  readonly tokenSalt: Uint8Array;
  readonly baseUrl: string;
}

/** The browser's value; undefined for one that has none of the right form. */
function browserOf(ctx: ApiContext): string | undefined {
  const value = ctx.cookies.get(COOKIE);
  return isOpaqueToken(value) ? value : undefined;
}

export function requireBrowser(ctx: ApiContext): string {
  const browser = browserOf(ctx);
  if (browser === undefined) throw wrongBrowser();
  return browser;
}

/** The browser's value, given to it where it has none. Lax: the platform's way back to us is a navigation from outside. */
export function ensureBrowser(ctx: ApiContext, { baseUrl }: Pick<BrowserDeps, 'baseUrl'>): string {
  const known = browserOf(ctx);
  if (known !== undefined) return known;
  const fresh = newOpaqueToken();
  const { protocol, pathname } = new URL(`${baseUrl}/connect`);
  // Written by hand: the cookie library refuses Secure where TLS ends in front of us.
  const secure = protocol === 'https:' ? '; Secure' : '';
  const text = `${COOKIE}=${fresh}; Path=${pathname}; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
  ctx.append('set-cookie', text);
  return fresh;
}

/** What a form carries to show that it is ours and this browser's. */
export function formProof({ tokenSalt }: Pick<BrowserDeps, 'tokenSalt'>, browser: string): string {
  return createHmac('sha256', tokenSalt).update(`onboarding-form/${browser}`).digest('base64url');
}

/**
 * Refuses a form that another site has sent. Pages without a referrer post with the origin `null`, so that the origin
 * alone can't say yes; the proof does, which only our own page can hold.
 */
export function requireOwnForm(ctx: ApiContext, deps: BrowserDeps, proof: string | null): string {
  const browser = requireBrowser(ctx);
  const origin = ctx.get('origin');
  const isForeign = origin !== '' && origin !== 'null' && origin !== new URL(deps.baseUrl).origin;
  const site = ctx.get('sec-fetch-site');
  if (isForeign || (site !== '' && site !== 'same-origin' && site !== 'none')) throw wrongBrowser();
  const expected = Buffer.from(formProof(deps, browser));
  const given = Buffer.from(proof ?? '');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw wrongBrowser();
  return browser;
}
