import { incomingOf } from '../scripted-api/api.ts';
import { isProof, tokenOf } from '../scripted-api/authorize.ts';
import type { Answering } from '../scripted-api/control.ts';
import { pageOf } from '../scripted-api/paging.ts';
import { missingObject, presentRefusal, reasonOf, Refusal, refusals } from '../scripted-api/refusals.ts';
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

interface ConsentCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string;
}

const SHORT_SECONDS = 3_600;
const LONG_SECONDS = 60 * 86_400;
const LINKED_PHOTO = 'instagram_business_account';
const TOKEN_FIELD = 'access_token';
const VERSIONED = /^\/v\d+\.\d+\/(.+)$/;
const ownerEdge = /^(\d+)\/(owned|client)_(whatsapp_business_accounts|pages)$/;
const invalidToken: Refusal = new Refusal({ code: 190, message: 'Invalid OAuth access token.' });

/** Redeems codes, inspects tokens and lists granted accounts. */
export function createConsentApi(options: ConsentApiOptions): Answering {
  const { accounts, delays } = options;

  return async (request, response) => {
    const incoming = incomingOf(request);
    const { method, url } = incoming;
    const path = VERSIONED.exec(url.pathname)?.[1];
    if (path === undefined) return false;
    const token = tokenOf(incoming, Object.fromEntries(url.searchParams)) ?? '';
    const call: ConsentCall = { method, path, query: url.searchParams, token };
    const operation = operationOf(call);
    if (!operation) return false;
    const fault = accounts.takeFault(operation);
    await delays.wait(fault?.delayMs);
    const { status, body } = answerOrRefuse(() => {
      if (fault) failBy(fault);
      return answer(options, call);
    });
    if (!response.destroyed) sendJson(response, status, body);
    return true;
  };
}

function answerOrRefuse(act: () => object) {
  try {
    return { status: 200, body: act() };
  } catch (error) {
    return presentRefusal(reasonOf(error));
  }
}

function operationOf({ method, path, query, token }: ConsentCall): ConsentOperation | undefined {
  if (path.endsWith('/subscribed_apps')) return 'subscribe';
  if (method !== 'GET') return undefined;
  if (path === 'oauth/access_token') return query.has('grant_type') ? 'exchange' : 'code';
  if (path === 'debug_token' || path === 'me/accounts' || path.endsWith('/phone_numbers')) return 'accounts';
  if (path === 'me/businesses' || ownerEdge.test(path)) return 'businesses';
  // Other reads of a Page belong to the content.
  const namesToken = (query.get('fields') ?? '').split(/[,{}]/).includes(TOKEN_FIELD);
  return namesToken && token.startsWith(TOKEN_PREFIX) && /^\d+$/.test(path) ? 'page' : undefined;
}

function failBy({ expired, status }: ConsentFault): void {
  if (expired) throw new Refusal({ code: 100, subcode: 36007, message: 'This authorization code has expired.' });
  if (status === undefined) return;
  throw new Refusal({ status, code: status >= 500 ? 2 : 100, message: refusals.serverError.message });
}

function answer(options: ConsentApiOptions, call: ConsentCall): object {
  const { path, query, token } = call;
  if (path === 'oauth/access_token') return query.has('grant_type') ? exchange(options, query) : redeem(options, query);
  if (path === 'debug_token') return inspect(options, call);
  const takesOther =
    /\/(?:phone_numbers|subscribed_apps)$/.test(path) || path === 'me/businesses' || ownerEdge.test(path);
  const grant = options.tokens.openToken(token, Date.now()) ?? (takesOther ? otherGrant(options, token) : undefined);
  if (!grant || !isProven(options, call)) throw invalidToken;
  return answerGranted({ options, grant, call });
}

interface Granted {
  readonly options: ConsentApiOptions;
  readonly grant: TokenGrant;
  readonly call: ConsentCall;
}

function answerGranted(granted: Granted): object {
  const { path } = granted.call;
  if (path.endsWith('/subscribed_apps')) return subscription(granted, path.split('/')[0] ?? '');
  if (path === 'me/accounts') return pageList(granted, listedPages(granted));
  if (path === 'me/businesses') return businessList(granted);
  const [, ownerId, relation, kind] = ownerEdge.exec(path) ?? [];
  if (ownerId !== undefined) return ownedList(granted, { ownerId, relation, kind });
  const [id = '', edge] = path.split('/');
  return edge === undefined ? pageAnswer(granted, id) : numberList(granted, id);
}

/** A subscription replaces the former one. One field that is refused makes the call fail. */
function subscription({ options, grant, call: { method, query } }: Granted, id: string): object {
  const { accounts, clientId } = options;
  const key = id === 'me' && grant.kind === 'page' ? (grant.accountIds[0] ?? id) : id;
  const isNumbers = grant.type === 'chatapp' && id !== 'me';
  if (method === 'GET') {
    const fields = accounts.subscriptions.get(key);
    const app = isNumbers
      ? { [SUBSCRIBED_APP]: { id: clientId, name: clientId } }
      : { id: clientId, name: clientId, subscribed_fields: fields };
    return { data: fields ? [app] : [] };
  }
  const fields = (query.get('subscribed_fields') ?? '').split(',').filter((field) => field !== '');
  const refused = fields.findIndex((field) => accounts.state().refusedFields.includes(field));
  if (refused >= 0)
    throw new Refusal({ code: 100, message: `(#100) Param subscribed_fields[${refused}] is not allowed.` });
  accounts.subscriptions.set(key, fields);
  return { success: true };
}

/** As in the other APIs, a token that no consent issued grants every account. */
function otherGrant({ accounts }: ConsentApiOptions, token: string): TokenGrant | undefined {
  if (token === '' || token.startsWith(TOKEN_PREFIX)) return undefined;
  const accountIds = accounts.state().numbers.map(({ id }) => id);
  const scopes = [...new Set(Object.values(grantedScopes).flat())];
  return { type: 'chatapp', accountIds, scopes, kind: 'long', expiresAtMs: null };
}

function isProven({ appSecret }: ConsentApiOptions, { query, token }: ConsentCall): boolean {
  const proof = query.get('appsecret_proof');
  return proof === null || isProof(proof, { token, appSecret });
}

function requireApp({ clientId, appSecret }: ConsentApiOptions, query: URLSearchParams): void {
  if (query.get('client_id') === clientId && query.get('client_secret') === appSecret) return;
  throw new Refusal({ code: 1, message: 'Error validating client secret.' });
}

function redeem(options: ConsentApiOptions, query: URLSearchParams): object {
  requireApp(options, query);
  const redirectUri = query.get('redirect_uri') ?? '';
  const grant = options.tokens.useCode({ code: query.get('code') ?? '', redirectUri, nowMs: Date.now() });
  if (typeof grant !== 'string') return tokenAnswer(options, { grant, kind: 'short', seconds: SHORT_SECONDS });
  const subcode = { unknown: 36008, used: 36009, expired: 36007 }[grant];
  throw new Refusal({ code: 100, subcode, message: `This authorization code is ${grant}.` });
}

function exchange(options: ConsentApiOptions, query: URLSearchParams): object {
  requireApp(options, query);
  const grant = options.tokens.openToken(query.get('fb_exchange_token') ?? '', Date.now());
  if (!grant) throw invalidToken;
  return tokenAnswer(options, { grant, kind: 'long', seconds: LONG_SECONDS });
}

function tokenAnswer(
  { tokens }: ConsentApiOptions,
  { grant, kind, seconds }: { grant: Grant; kind: 'short' | 'long'; seconds: number },
) {
  const { type, accountIds, scopes } = grant;
  const expiresAtMs = Date.now() + seconds * 1000;
  const access_token = tokens.issueToken({ type, accountIds, ...(scopes && { scopes }), kind, expiresAtMs });
  return { access_token, token_type: 'bearer', expires_in: seconds };
}

function inspect(options: ConsentApiOptions, call: ConsentCall): object {
  const { clientId, appSecret, tokens } = options;
  if (call.token !== `${clientId}|${appSecret}`) throw invalidToken;
  const inspected = call.query.get('input_token') ?? '';
  const grant = tokens.openToken(inspected, Date.now()) ?? otherGrant(options, inspected);
  if (!grant) return { data: { is_valid: false, scopes: [] } };
  const granted = { options, grant, call };
  const granular_scopes = granularScopes(granted);
  const expires_at = Math.floor((grant.expiresAtMs ?? 0) / 1000);
  const known = { app_id: clientId, type: 'USER', is_valid: true, expires_at, scopes: scopesOf(granted) };
  return { data: { ...known, ...(granular_scopes && { granular_scopes }) } };
}

function scopesOf({ options: { accounts }, grant }: Granted): readonly string[] {
  return accounts.state().scopes ?? grant.scopes ?? grantedScopes[grant.type];
}

function granularScopes(granted: Granted): readonly GranularScope[] | undefined {
  const { granularScopes: scripted } = granted.options.accounts.state();
  if (scripted === 'absent') return undefined;
  if (typeof scripted !== 'string') return scripted;
  const numbers = grantedNumbers(granted);
  const pages = grantedPages(granted);
  const owners = ownerIds(granted);
  const targets = (scope: string): string[] => {
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
  return accounts.state().numbers.filter(({ id }) => accountIds.includes(id));
}

function grantedPages({ options: { accounts }, grant: { type, accountIds } }: Granted): readonly SimulatedPage[] {
  return accounts
    .state()
    .pages.filter(({ id, photo }) => accountIds.includes(type === 'photoapp' && photo ? photo.id : id));
}

function listedPages(granted: Granted): readonly SimulatedPage[] {
  const hasBusinesses = scopesOf(granted).includes(businessScope);
  return grantedPages(granted).filter(({ isListed = true, ownerId }) => isListed && (!ownerId || hasBusinesses));
}

function ownerIds(granted: Granted): string[] {
  const owned: readonly Owned[] = [...grantedNumbers(granted), ...grantedPages(granted)];
  return [...new Set(owned.flatMap(({ ownerId }) => ownerId ?? []))];
}

function requireBusinessScope(granted: Granted): void {
  if (scopesOf(granted).includes(businessScope)) return;
  throw new Refusal({ code: 200, message: `(#200) Requires ${businessScope} permission.` });
}

function businessList(granted: Granted): object {
  requireBusinessScope(granted);
  return paged(granted, ownerIds(granted).map((id) => ({ id }))); // prettier-ignore
}

interface OwnerEdge {
  readonly ownerId: string;
  readonly relation: string | undefined;
  readonly kind: string | undefined;
}

function ownedList(granted: Granted, { ownerId, relation, kind }: OwnerEdge): object {
  requireBusinessScope(granted);
  if (!ownerIds(granted).includes(ownerId)) throw noField(`${relation}_${kind}`);
  const isHere = (owned: Owned): boolean => owned.ownerId === ownerId && (owned.relation ?? 'owned') === relation;
  if (kind === 'pages') return pageList(granted, grantedPages(granted).filter(isHere));
  const ids = new Set(
    grantedNumbers(granted)
      .filter(isHere)
      .map(({ businessId }) => businessId),
  );
  return paged(granted, [...ids].map((id) => ({ id }))); // prettier-ignore
}

function noField(name: string): Refusal {
  return new Refusal({ code: 100, message: `(#100) Tried accessing nonexisting field (${name})` });
}

/** Only a business account has numbers. */
function numberList(granted: Granted, businessId: string): object {
  const { accounts } = granted.options;
  const { numbers, emptyBusinessIds } = accounts.state();
  const isBusiness = numbers.some((each) => each.businessId === businessId) || emptyBusinessIds.includes(businessId);
  if (!isBusiness) throw noField('phone_numbers');
  const items = grantedNumbers(granted)
    .filter((each) => each.businessId === businessId)
    .map(({ id, number, name }) => {
      const { quality = 'GREEN', status = 'CONNECTED', ...facts } = accounts.factsOf(id);
      return {
        id,
        display_phone_number: number,
        verified_name: name,
        quality_rating: quality,
        status,
        platform_type: facts.platformType ?? (status === 'PENDING' ? 'NOT_APPLICABLE' : 'CLOUD_API'),
        is_on_biz_app: facts.isOnApp ?? false,
      };
    });
  return paged(granted, items);
}

/** Each Page has its own token. Photo accounts are listed with their Pages. */
function pageList(granted: Granted, pages: readonly SimulatedPage[]) {
  return paged(
    granted,
    pages.map((page) => presentPage(granted, page)),
  );
}

function pageAnswer(granted: Granted, id: string): object {
  const page = grantedPages(granted).find((each) => each.id === id);
  if (page) return presentPage(granted, page);
  const isPage = granted.options.accounts.state().pages.some((each) => each.id === id);
  throw isPage ? missingObject(id) : noField(TOKEN_FIELD);
}

function presentPage({ options: { tokens }, grant }: Granted, { id, name, photo, hasRole = true }: SimulatedPage) {
  const token = () => tokens.issueToken({ ...grant, accountIds: [id], kind: 'page', expiresAtMs: null });
  return { id, name, ...(hasRole && { access_token: token() }), ...(photo && { [LINKED_PHOTO]: photo }) };
}

function paged({ call: { query, token, path } }: Granted, items: readonly { readonly id: string }[]) {
  const url = `https://platform.invalid/${path}`;
  return pageOf(items, { parameters: new Map(query), url, token, present: (item) => item });
}
