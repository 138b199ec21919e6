import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Accounts, ConsentStep, Fault } from './accounts.ts';
import { TOKEN_PREFIX, type ConsentTokens, type Grant, type TokenGrant } from './tokens.ts';
import { sendJson } from '../servers/http-server.ts';

/** The platform's API as far as a consent needs it: tokens, what they were granted for, and the accounts behind them. */
export interface ConsentApiOptions {
  readonly clientId: string;
  readonly appSecret: string;
  readonly accounts: Accounts;
  readonly tokens: ConsentTokens;
}

interface ApiCall {
  readonly method: string;
  /** Below the version. */
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
/** The field of a Page that names its photo account. */
const LINKED_PHOTO = 'instagram_business_account';
const VERSIONED = /^\/v\d+\.\d+\/(.+)$/;

/** Answers a call to the API; undefined for an address that is none of these. */
export function createConsentApi(options: ConsentApiOptions) {
  const { accounts } = options;

  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const url = new URL(request.url ?? '/', 'http://platform');
    const path = VERSIONED.exec(url.pathname)?.[1];
    if (path === undefined) return false;
    const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    const token = bearer ?? url.searchParams.get('access_token') ?? '';
    const call: ApiCall = { method: request.method ?? 'GET', path, query: url.searchParams, token };
    const step = stepOf(call);
    if (!step) return false;
    const fault = accounts.takeFault(step);
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
    const { status, body } = failing(fault) ?? answer(options, call);
    if (!response.destroyed) sendJson(response, status, body);
    return true;
  };
}

function stepOf({ method, path, query }: ApiCall): ConsentStep | undefined {
  if (method === 'POST') return path.endsWith('/subscribed_apps') ? 'subscribe' : undefined;
  if (path === 'oauth/access_token') return query.has('grant_type') ? 'exchange' : 'code';
  return path === 'debug_token' || path === 'me/accounts' || path.endsWith('/phone_numbers') ? 'accounts' : undefined;
}

function failing(fault: Fault | undefined): ApiAnswer | undefined {
  if (fault?.expired)
    return refusal({ code: 100, error_subcode: 36007, message: 'This authorization code has expired.' });
  if (fault?.status === undefined) return undefined;
  const code = fault.status >= 500 ? 2 : 100;
  return { ...refusal({ code, message: 'An unexpected error has occurred.' }), status: fault.status };
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

/** A token that no consent has issued is good for all numbers, as it is good for every account elsewhere here. */
function otherGrant({ accounts }: ConsentApiOptions, token: string): TokenGrant | undefined {
  if (token === '' || token.startsWith(TOKEN_PREFIX)) return undefined;
  return { type: 'chatapp', accountIds: accounts.numbers().map(({ id }) => id), kind: 'long', expiresAtMs: null };
}

function isProven({ appSecret }: ConsentApiOptions, { query, token }: ApiCall): boolean {
  const proof = query.get('appsecret_proof');
  return proof === null || proof === createHmac('sha256', appSecret).update(token).digest('hex');
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

/** What a token was granted for; only the app itself may ask. */
function inspect(options: ConsentApiOptions, { query, token }: ApiCall): ApiAnswer {
  const { clientId, appSecret, accounts, tokens } = options;
  if (token !== `${clientId}|${appSecret}`) return refusal({ code: 190, message: 'Invalid app access token.' });
  const asked = query.get('input_token') ?? '';
  const grant = tokens.openToken(asked, Date.now()) ?? otherGrant(options, asked);
  if (!grant) return { status: 200, body: { data: { is_valid: false, scopes: [] } } };
  const granted = accounts.numbers().filter(({ id }) => grant.accountIds.includes(id));
  const target_ids = [...new Set(granted.map(({ businessId }) => businessId))];
  const granular_scopes = ['whatsapp_business_management', 'whatsapp_business_messaging'].map((scope) => ({
    scope,
    ...(target_ids.length > 0 && { target_ids }),
  }));
  const expires_at = Math.floor((grant.expiresAtMs ?? 0) / 1000);
  return {
    status: 200,
    body: { data: { app_id: clientId, type: 'USER', is_valid: true, expires_at, granular_scopes } },
  };
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
      quality_rating: 'GREEN',
    })),
  );
}

/** The granted Pages, each with a token of its own; for photo accounts the Pages that they belong to. */
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

/** One page of a list, with the cursors that lead on. */
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
