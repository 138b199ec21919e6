import { createHmac } from 'node:crypto';
import { cookieName } from '../../../openapi/people/cookies.ts';
import { isOpaqueToken, newOpaqueToken } from '../../../db/core/opaque-tokens.ts';
import { keyOfTag, type SigningRing } from '../../../db/core/signing-keys.ts';
import type { ApiContext } from '../../requests/state.ts';
import { PageProblem, wrongBrowser } from './problem.ts';
import { readBytes } from '../../requests/read-bytes.ts';
import type { ApiDeps } from '../../requests/deps.ts';

const MAX_AGE_SECONDS = 86_400;

interface BrowserDeps {
  readonly signingRing: SigningRing;
  readonly baseUrl: string;
}

/** Only the browser that started an attempt can continue it. */
function connectCookie({ baseUrl }: Pick<BrowserDeps, 'baseUrl'>) {
  const secure = new URL(baseUrl).protocol === 'https:';
  return { name: cookieName('service_connect', { secure }), secure };
}

function browserOf(ctx: ApiContext, deps: Pick<BrowserDeps, 'baseUrl'>): string | undefined {
  const value = ctx.cookies.get(connectCookie(deps).name);
  return isOpaqueToken(value) ? value : undefined;
}

export function requireBrowser(ctx: ApiContext, deps: Pick<BrowserDeps, 'baseUrl'>): string {
  const browser = browserOf(ctx, deps);
  if (browser === undefined) throw wrongBrowser();
  return browser;
}

/** SameSite=Lax, because the platform redirects from another site. */
export function ensureBrowser(ctx: ApiContext, deps: Pick<BrowserDeps, 'baseUrl'>): string {
  const known = browserOf(ctx, deps);
  if (known !== undefined) return known;
  const fresh = newOpaqueToken();
  const { name, secure } = connectCookie(deps);
  // Koa's cookies refuse `Secure` behind a proxy that terminates TLS.
  const end = secure ? '; Secure' : '';
  ctx.append('set-cookie', `${name}=${fresh}; Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${end}`);
  return fresh;
}

export function formProof({ signingRing }: Pick<BrowserDeps, 'signingRing'>, browser: string): string {
  return proofBy(signingRing.active('onboarding-form').bytes, browser);
}

function proofBy(key: Uint8Array, browser: string): string {
  return createHmac('sha256', key).update(`onboarding-form/${browser}`).digest('base64url');
}

/** Pages without a referrer send the origin `null`, so only the proof identifies them. */
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

const MAX_BYTES = 16 * 1024;

export async function readForm(ctx: ApiContext, { bodies }: ApiDeps): Promise<URLSearchParams> {
  if (ctx.request.is('application/x-www-form-urlencoded') === false) {
    throw new PageProblem(415, {
      title: 'This request is not a form',
      text: 'Open the link that you received and start again.',
    });
  }
  const reservation = bodies.open(ctx.ip);
  try {
    return new URLSearchParams((await readBytes(ctx, { maxBytes: MAX_BYTES, reservation })).toString('utf8'));
  } finally {
    reservation.release();
  }
}
