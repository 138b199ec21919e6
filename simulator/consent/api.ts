import { incomingOf } from '../scripted-api/address.ts';
import { isProof, tokenOf } from '../scripted-api/authorize.ts';
import type { Answering } from '../scripted-api/control.ts';
import { refusals } from '../scripted-api/refusals.ts';
import type { DelayedAnswers } from '../servers/delayed-answers.ts';
import { sendJson } from '../servers/http-server.ts';
import type { Accounts, ConsentFault, ConsentOperation } from './accounts.ts';
import { grantedScopes } from './scopes.ts';
import { TOKEN_PREFIX, type ConsentTokens, type Grant, type TokenGrant } from './tokens.ts';

export interface ConsentApiOptions {
  readonly clientId: string;
  readonly appSecret: string;
  readonly accounts: Accounts;
  readonly tokens: ConsentTokens;
  readonly delays: DelayedAnswers;
}

interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string;
}

interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

const SHORT_SECONDS = 3_600;
const LONG_SECONDS = 60 * 86_400;
const LINKED_PHOTO = 'instagram_business_account';
const VERSIONED = /^\/v\d+\.\d+\/(.+)$/;

/** Redeems codes, inspects tokens and lists granted accounts. */
export function createConsentApi(options: ConsentApiOptions): Answering {
  const { accounts, delays } = options;

  return async (request, response) => {
    const incoming = incomingOf(request);
    const { method, url } = incoming;
    const path = VERSIONED.exec(url.pathname)?.[1];
    if (path === undefined) return false;
    const token = tokenOf(incoming, Object.fromEntries(url.searchParams)) ?? '';
    const call: ApiCall = { method, path, query: url.searchParams, token };
    const operation = operationOf(call);
    if (!operation) return false;
    const fault = accounts.takeFault(operation);
    await delays.wait(fault?.delayMs);
    const { status, body } = failing(fault) ?? answer(options, call);
    if (!response.destroyed) sendJson(response, status, body);
    return true;
  };
}

function operationOf({ method, path, query }: ApiCall): ConsentOperation | undefined {
  if (method === 'POST') return path.endsWith('/subscribed_apps') ? 'subscribe' : undefined;
  if (path === 'oauth/access_token') return query.has('grant_type') ? 'exchange' : 'code';
  return path === 'debug_token' || path === 'me/accounts' || path.endsWith('/phone_numbers') ? 'accounts' : undefined;
}

function failing(fault: ConsentFault | undefined): ApiAnswer | undefined {
  if (fault?.expired)
    return refusal({ code: 100, error_subcode: 36007, message: 'This authorization code has expired.' });
  if (fault?.status === undefined) return undefined;
  const code = fault.status >= 500 ? 2 : 100;
  return { ...refusal({ code, message: refusals.serverError.message }), status: fault.status };
}

function refusal(error: { code: number; error_subcode?: number; message: string }): ApiAnswer {
  return { status: 400, body: { error: { type: 'OAuthException', fbtrace_id: 'A0simulator', ...error } } };
}

function answer(options: ConsentApiOptions, call: ApiCall): ApiAnswer {
  const { path, query, token } = call;
  if (path === 'oauth/access_token') return query.has('grant_type') ? exchange(options, query) : redeem(options, query);
  if (path === 'debug_token') return inspect(options, call);
  const isNumbers = path.endsWith('/phone_numbers');
  const grant = options.tokens.openToken(token, Date.now()) ?? (isNumbers ? otherGrant(options, token) : undefined);
  if (!grant || !isProven(options, call)) return refusal({ code: 190, message: 'Invalid OAuth access token.' });
  if (path === 'me/accounts') return { status: 200, body: pageList(options, grant, query) };
  if (path.endsWith('/phone_numbers'))
    return { status: 200, body: numberList(options, grant, path.split('/')[0] ?? '') };
  return { status: 200, body: { success: true } };
}

/** As in the other APIs, a token that no consent issued grants every account. */
function otherGrant({ accounts }: ConsentApiOptions, token: string): TokenGrant | undefined {
  if (token === '' || token.startsWith(TOKEN_PREFIX)) return undefined;
  return { type: 'chatapp', accountIds: accounts.numbers().map(({ id }) => id), kind: 'long', expiresAtMs: null };
}

function isProven({ appSecret }: ConsentApiOptions, { query, token }: ApiCall): boolean {
  const proof = query.get('appsecret_proof');
  return proof === null || isProof(proof, { token, appSecret });
}

function isApp({ clientId, appSecret }: ConsentApiOptions, query: URLSearchParams): boolean {
  return query.get('client_id') === clientId && query.get('client_secret') === appSecret;
}

function redeem(options: ConsentApiOptions, query: URLSearchParams): ApiAnswer {
  if (!isApp(options, query)) return refusal({ code: 1, message: 'Error validating client secret.' });
  const redirectUri = query.get('redirect_uri') ?? '';
  const grant = options.tokens.useCode({ code: query.get('code') ?? '', redirectUri, nowMs: Date.now() });
  if (typeof grant === 'string') {
    const error_subcode = { unknown: 36008, used: 36009, expired: 36007 }[grant];
    return refusal({ code: 100, error_subcode, message: `This authorization code is ${grant}.` });
  }
  return tokenAnswer(options, { grant, kind: 'short', seconds: SHORT_SECONDS });
}

function exchange(options: ConsentApiOptions, query: URLSearchParams): ApiAnswer {
  if (!isApp(options, query)) return refusal({ code: 1, message: 'Error validating client secret.' });
  const grant = options.tokens.openToken(query.get('fb_exchange_token') ?? '', Date.now());
  if (!grant) return refusal({ code: 190, message: 'Error validating access token.' });
  return tokenAnswer(options, { grant, kind: 'long', seconds: LONG_SECONDS });
}

function tokenAnswer(
  { tokens }: ConsentApiOptions,
  { grant, kind, seconds }: { grant: Grant; kind: 'short' | 'long'; seconds: number },
): ApiAnswer {
  const { type, accountIds } = grant;
  const access_token = tokens.issueToken({ type, accountIds, kind, expiresAtMs: Date.now() + seconds * 1000 });
  return { status: 200, body: { access_token, token_type: 'bearer', expires_in: seconds } };
}

function inspect(options: ConsentApiOptions, { query, token }: ApiCall): ApiAnswer {
  const { clientId, appSecret, accounts, tokens } = options;
  if (token !== `${clientId}|${appSecret}`) return refusal({ code: 190, message: 'Invalid app access token.' });
  const inspected = query.get('input_token') ?? '';
  const grant = tokens.openToken(inspected, Date.now()) ?? otherGrant(options, inspected);
  if (!grant) return { status: 200, body: { data: { is_valid: false, scopes: [] } } };
  const granted = accounts.numbers().filter(({ id }) => grant.accountIds.includes(id));
  const target_ids = [...new Set(granted.map(({ businessId }) => businessId))];
  const granular_scopes = ['whatsapp_business_management', 'whatsapp_business_messaging'].map((scope) => ({
    scope,
    ...(target_ids.length > 0 && { target_ids }),
  }));
  const expires_at = Math.floor((grant.expiresAtMs ?? 0) / 1000);
  const scopes = accounts.scopes() ?? scopesOf(options, { inspected, grant });
  return {
    status: 200,
    body: { data: { app_id: clientId, type: 'USER', is_valid: true, expires_at, scopes, granular_scopes } },
  };
}

/** A token that no consent issued has every permission. */
function scopesOf(
  { tokens }: ConsentApiOptions,
  { inspected, grant }: { readonly inspected: string; readonly grant: TokenGrant },
): readonly string[] {
  if (tokens.openToken(inspected, Date.now())) return grantedScopes[grant.type];
  return [...new Set(Object.values(grantedScopes).flat())];
}

function numberList({ accounts }: ConsentApiOptions, grant: TokenGrant, businessId: string) {
  const numbers = accounts
    .numbers()
    .filter((each) => each.businessId === businessId && grant.accountIds.includes(each.id));
  return paged(
    numbers.map(({ id, number, name }) => ({
      id,
      display_phone_number: number,
      verified_name: name,
      quality_rating: accounts.factsOf(id).quality ?? 'GREEN',
    })),
  );
}

/** Each Page has its own token. Photo accounts are listed with their Pages. */
function pageList({ accounts, tokens }: ConsentApiOptions, grant: TokenGrant, query: URLSearchParams) {
  const isGranted = (id: string | undefined): boolean => id !== undefined && grant.accountIds.includes(id);
  const pages = accounts.pages().filter(({ id, photo }) => isGranted(grant.type === 'photoapp' ? photo?.id : id));
  const items = pages.map(({ id, name, photo }) => ({
    id,
    name,
    access_token: tokens.issueToken({ type: grant.type, accountIds: [id], kind: 'page', expiresAtMs: null }),
    ...(photo && { [LINKED_PHOTO]: photo }),
  }));
  return paged(items, query);
}

function paged(items: readonly { readonly id: string }[], query = new URLSearchParams()) {
  const size = Number(query.get('limit') ?? 25);
  const start = items.findIndex(({ id }) => id === query.get('after')) + 1;
  const data = items.slice(start, start + size);
  const after = data.at(-1)?.id;
  const hasNext = start + size < items.length;
  return {
    data,
    paging: {
      ...(after && { cursors: { before: data[0]?.id, after } }),
      ...(hasNext && { next: 'https://platform.invalid/next' }),
    },
  };
}
