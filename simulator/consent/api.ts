import { incomingOf } from '../scripted-api/address.ts';
import { isProof, tokenOf } from '../scripted-api/authorize.ts';
import type { Answering } from '../scripted-api/control.ts';
import { refusals } from '../scripted-api/refusals.ts';
import type { DelayedAnswers } from '../servers/delayed-answers.ts';
import { sendJson } from '../servers/http-server.ts';
import type { Accounts, ConsentFault, ConsentOperation, GranularScope, Owned, SimulatedPage } from './accounts.ts';
import { businessScope, grantedScopes, SUBSCRIBED_APP } from './scopes.ts';
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

function operationOf({ method, path, query, token }: ApiCall): ConsentOperation | undefined {
  if (path.endsWith('/subscribed_apps')) return 'subscribe';
  if (method !== 'GET') return undefined;
  if (path === 'oauth/access_token') return query.has('grant_type') ? 'exchange' : 'code';
  if (path === 'debug_token' || path === 'me/accounts' || path.endsWith('/phone_numbers')) return 'accounts';
  if (path === 'me/businesses' || ownerEdge.test(path)) return 'businesses';
  // Other reads of a Page belong to the content.
  return namesToken(query) && token.startsWith(TOKEN_PREFIX) && /^\d+$/.test(path) ? 'page' : undefined;
}

const ownerEdge = /^(\d+)\/(owned|client)_(whatsapp_business_accounts|pages)$/;
const TOKEN_FIELD = 'access_token';

function namesToken(query: URLSearchParams): boolean {
  return (query.get('fields') ?? '').split(/[,{}]/).includes(TOKEN_FIELD);
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
  const hasOther =
    /\/(?:phone_numbers|subscribed_apps)$/.test(path) || path === 'me/businesses' || ownerEdge.test(path);
  const grant = options.tokens.openToken(token, Date.now()) ?? (hasOther ? otherGrant(options, token) : undefined);
  if (!grant || !isProven(options, call)) return refusal({ code: 190, message: 'Invalid OAuth access token.' });
  return answerGranted(call, { options, grant, query });
}

function answerGranted({ method, path }: ApiCall, granted: Granted): ApiAnswer {
  if (path.endsWith('/subscribed_apps')) return subscription(granted, { method, id: path.split('/')[0] ?? '' });
  if (path === 'me/accounts') return ok(pageList(granted, listedPages(granted)));
  if (path === 'me/businesses') return businessList(granted);
  const [, ownerId, relation, kind] = ownerEdge.exec(path) ?? [];
  if (ownerId !== undefined) return ownedList(granted, { ownerId, relation, kind });
  const [id = '', edge] = path.split('/');
  return edge === undefined ? pageAnswer(granted, id) : numberList(granted, id);
}

/** A subscription replaces the former one. One field that is refused makes the call fail. */
function subscription({ options, grant, query }: Granted, { method, id }: { method: string; id: string }): ApiAnswer {
  const { accounts, clientId } = options;
  const key = id === 'me' && grant.kind === 'page' ? (grant.accountIds[0] ?? id) : id;
  const isNumbers = grant.type === 'chatapp' && id !== 'me';
  if (method === 'GET') {
    const fields = accounts.subscriptions.get(key);
    const app = isNumbers
      ? { [SUBSCRIBED_APP]: { id: clientId, name: clientId } }
      : { id: clientId, name: clientId, subscribed_fields: fields };
    return ok({ data: fields ? [app] : [] });
  }
  const fields = (query.get('subscribed_fields') ?? '').split(',').filter((field) => field !== '');
  const refused = fields.findIndex((field) => accounts.refusedFields().includes(field));
  if (refused >= 0)
    return refusal({ code: 100, message: `(#100) Param subscribed_fields[${refused}] is not allowed.` });
  accounts.subscriptions.set(key, fields);
  return ok({ success: true });
}

const ok = (body: unknown): ApiAnswer => ({ status: 200, body });

interface Granted {
  readonly options: ConsentApiOptions;
  readonly grant: TokenGrant;
  readonly query: URLSearchParams;
}

/** As in the other APIs, a token that no consent issued grants every account. */
function otherGrant({ accounts }: ConsentApiOptions, token: string): TokenGrant | undefined {
  if (token === '' || token.startsWith(TOKEN_PREFIX)) return undefined;
  const accountIds = accounts.numbers().map(({ id }) => id);
  const scopes = [...new Set(Object.values(grantedScopes).flat())];
  return { type: 'chatapp', accountIds, scopes, kind: 'long', expiresAtMs: null };
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
  const { type, accountIds, scopes } = grant;
  const expiresAtMs = Date.now() + seconds * 1000;
  const access_token = tokens.issueToken({ type, accountIds, ...(scopes && { scopes }), kind, expiresAtMs });
  return { status: 200, body: { access_token, token_type: 'bearer', expires_in: seconds } };
}

function inspect(options: ConsentApiOptions, { query, token }: ApiCall): ApiAnswer {
  const { clientId, appSecret, tokens } = options;
  if (token !== `${clientId}|${appSecret}`) return refusal({ code: 190, message: 'Invalid app access token.' });
  const inspected = query.get('input_token') ?? '';
  const grant = tokens.openToken(inspected, Date.now()) ?? otherGrant(options, inspected);
  if (!grant) return { status: 200, body: { data: { is_valid: false, scopes: [] } } };
  const granular_scopes = granularScopes({ options, grant, query });
  const expires_at = Math.floor((grant.expiresAtMs ?? 0) / 1000);
  const scopes = scopesOf({ options, grant, query });
  const known = { app_id: clientId, type: 'USER', is_valid: true, expires_at, scopes };
  return { status: 200, body: { data: { ...known, ...(granular_scopes && { granular_scopes }) } } };
}

function scopesOf({ options: { accounts }, grant }: Granted): readonly string[] {
  return accounts.scopes() ?? grant.scopes ?? grantedScopes[grant.type];
}

function granularScopes(granted: Granted): readonly GranularScope[] | undefined {
  const scripted = granted.options.accounts.granularScopes();
  if (scripted === 'absent') return undefined;
  if (typeof scripted !== 'string') return scripted;
  const numbers = grantedNumbers(granted);
  const pages = grantedPages(granted);
  const owners = ownerIds(granted);
  const targets = (scope: string): readonly string[] => {
    if (scripted === 'all') return [];
    if (scope === businessScope) return owners;
    if (scope.startsWith('whatsapp_')) return [...new Set(numbers.map(({ businessId }) => businessId))];
    if (scope.startsWith('pages_')) return pages.map(({ id }) => id);
    return scope.startsWith('instagram_') ? pages.flatMap(({ photo }) => photo?.id ?? []) : [];
  };
  return scopesOf(granted).map((scope) => {
    const target_ids = targets(scope);
    return { scope, ...(target_ids.length > 0 && { target_ids }) };
  });
}

function grantedNumbers({ options: { accounts }, grant: { accountIds } }: Granted) {
  return accounts.numbers().filter(({ id }) => accountIds.includes(id));
}

function grantedPages({ options: { accounts }, grant: { type, accountIds } }: Granted): readonly SimulatedPage[] {
  return accounts.pages().filter(({ id, photo }) => accountIds.includes(type === 'photoapp' && photo ? photo.id : id));
}

function listedPages(granted: Granted): readonly SimulatedPage[] {
  const hasBusinesses = scopesOf(granted).includes(businessScope);
  return grantedPages(granted).filter(({ isListed = true, ownerId }) => isListed && (!ownerId || hasBusinesses));
}

function ownerIds(granted: Granted): readonly string[] {
  const owned: readonly Owned[] = [...grantedNumbers(granted), ...grantedPages(granted)];
  return [...new Set(owned.flatMap(({ ownerId }) => ownerId ?? []))];
}

function businessList(granted: Granted): ApiAnswer {
  if (!scopesOf(granted).includes(businessScope)) return needsBusinessScope;
  return ok(
    paged(
      ownerIds(granted).map((id) => ({ id })),
      granted.query,
    ),
  );
}

const needsBusinessScope = refusal({ code: 200, message: `(#200) Requires ${businessScope} permission.` });

interface OwnerEdge {
  readonly ownerId: string;
  readonly relation: string | undefined;
  readonly kind: string | undefined;
}

function ownedList(granted: Granted, { ownerId, relation, kind }: OwnerEdge): ApiAnswer {
  if (!scopesOf(granted).includes(businessScope)) return needsBusinessScope;
  if (!ownerIds(granted).includes(ownerId)) return noField(`${relation}_${kind}`);
  const isHere = (owned: Owned): boolean => owned.ownerId === ownerId && (owned.relation ?? 'owned') === relation;
  if (kind === 'pages') return ok(pageList(granted, grantedPages(granted).filter(isHere)));
  const ids = new Set(
    grantedNumbers(granted)
      .filter(isHere)
      .map(({ businessId }) => businessId),
  );
  return ok(
    paged(
      [...ids].map((id) => ({ id })),
      granted.query,
    ),
  );
}

function noField(name: string): ApiAnswer {
  return refusal({ code: 100, message: `(#100) Tried accessing nonexisting field (${name})` });
}

/** Only a business account has numbers. */
function numberList(granted: Granted, businessId: string): ApiAnswer {
  const { accounts } = granted.options;
  const isBusiness = accounts.numbers().some((each) => each.businessId === businessId);
  if (!isBusiness && !accounts.emptyBusinessIds().includes(businessId)) return noField('phone_numbers');
  const numbers = grantedNumbers(granted).filter((each) => each.businessId === businessId);
  const items = numbers.map(({ id, number, name }) => {
    const { quality = 'GREEN', status = 'CONNECTED', ...facts } = accounts.factsOf(id);
    return {
      ...{ id, display_phone_number: number, verified_name: name, quality_rating: quality, status },
      platform_type: facts.platformType ?? (status === 'PENDING' ? 'NOT_APPLICABLE' : 'CLOUD_API'),
      is_on_biz_app: facts.isOnApp ?? false,
    };
  });
  return ok(paged(items));
}

/** Each Page has its own token. Photo accounts are listed with their Pages. */
function pageList(granted: Granted, pages: readonly SimulatedPage[]) {
  return paged(
    pages.map((page) => presentPage(granted, page)),
    granted.query,
  );
}

function pageAnswer(granted: Granted, id: string): ApiAnswer {
  const page = grantedPages(granted).find((each) => each.id === id);
  if (page) return ok(presentPage(granted, page));
  const isPage = granted.options.accounts.pages().some((each) => each.id === id);
  if (!isPage) return noField(TOKEN_FIELD);
  const message = `Unsupported get request. Object with ID '${id}' does not exist or cannot be loaded.`;
  return refusal({ code: 100, error_subcode: 33, message });
}

function presentPage({ options: { tokens }, grant }: Granted, { id, name, photo, hasRole = true }: SimulatedPage) {
  const token = () => tokens.issueToken({ ...grant, accountIds: [id], kind: 'page', expiresAtMs: null });
  return { id, name, ...(hasRole && { access_token: token() }), ...(photo && { [LINKED_PHOTO]: photo }) };
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
