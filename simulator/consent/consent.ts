import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChannelType } from '../../contract/event-types.ts';
import { consentControl, createAccounts, type ConsentControl } from './accounts.ts';
import { createConsentApi } from './api.ts';
import { consentPage, consentProblem } from './page.ts';
import { createConsentTokens } from './tokens.ts';
import { readBody, readJson, RequestRefused, sendJson } from '../servers/http-server.ts';

/**
 * The platform's side of connecting a channel: `/dialog/oauth` asks the customer, the versioned API turns the code into
 * tokens and lists what was granted. `POST /control/consent` says what the customer has and what goes wrong,
 * `DELETE /control/consent` puts the demo accounts back.
 */
export interface Consent {
  /** False for an address that is not the consent's. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  readonly control: (change: ConsentControl) => void;
  /** The first account that a token was issued for; undefined for one that is none of ours. */
  readonly accountOfToken: (token: string) => string | undefined;
}

/** Words of the scope that tell which kind of account is asked for; the neutral ones are understood too. */
const scopeWords: readonly (readonly [ChannelType, readonly string[]])[] = [
  ['chatapp', ['whatsapp_business_management', 'whatsapp_business_messaging', 'chatapp']],
  ['pageapp', ['pages_messaging', 'pageapp']],
  ['photoapp', ['instagram_basic', 'photoapp']],
];
const handedOn = ['client_id', 'redirect_uri', 'response_type', 'state', 'scope'] as const;
const MAX_FORM_BYTES = 64 * 1024;

export function createConsent({ clientId, appSecret }: { clientId: string; appSecret: string }): Consent {
  const accounts = createAccounts();
  const tokens = createConsentTokens(appSecret);
  const api = createConsentApi({ clientId, appSecret, accounts, tokens });

  function ask(response: ServerResponse, query: URLSearchParams): void {
    const problem = problemOf(query, clientId);
    if (problem !== undefined) return sendHtml(response, 400, consentProblem(problem));
    const hidden = Object.fromEntries(handedOn.map((name) => [name, query.get(name) ?? '']));
    sendHtml(response, 200, consentPage({ accounts: accounts.offered(typeOf(query) ?? 'chatapp'), hidden }));
  }

  function decide(response: ServerResponse, form: URLSearchParams): void {
    const type = typeOf(form);
    const problem = problemOf(form, clientId);
    if (problem !== undefined || !type) return sendHtml(response, 400, consentProblem(problem ?? 'Unknown scope'));
    const redirectUri = form.get('redirect_uri') ?? '';
    const offered = new Set(accounts.offered(type).map(({ id }) => id));
    const accountIds = form.getAll('account').filter((id) => offered.has(id));
    const outcome =
      form.get('decision') === 'allow'
        ? { code: tokens.issueCode({ type, accountIds, redirectUri }) }
        : { error: 'access_denied', error_reason: 'user_denied', error_description: 'Permissions error' };
    const target = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...outcome, state: form.get('state') ?? '' })) {
      target.searchParams.set(name, value);
    }
    response.writeHead(302, { location: target.href, 'content-length': 0 }).end();
  }

  return {
    control: (change) => accounts.control(change),
    accountOfToken: (token) => tokens.openToken(token, Date.now())?.accountIds[0],
    async answer(request, response) {
      const url = new URL(request.url ?? '/', 'http://platform');
      switch (`${request.method} ${url.pathname}`) {
        case 'GET /dialog/oauth':
          ask(response, url.searchParams);
          return true;
        case 'POST /dialog/oauth':
          decide(response, new URLSearchParams((await readBody(request, MAX_FORM_BYTES)).toString()));
          return true;
        case 'POST /control/consent':
          accounts.control(parseControl(await readJson(request)));
          sendJson(response, 200, { numbers: accounts.numbers(), pages: accounts.pages() });
          return true;
        case 'DELETE /control/consent':
          accounts.reset();
          sendJson(response, 200, { numbers: accounts.numbers(), pages: accounts.pages() });
          return true;
        default:
          return await api(request, response);
      }
    },
  };
}

function typeOf(query: URLSearchParams): ChannelType | undefined {
  const scopes = new Set((query.get('scope') ?? '').split(/[ ,]+/));
  return scopeWords.find(([, words]) => words.some((word) => scopes.has(word)))?.[0];
}

function problemOf(query: URLSearchParams, clientId: string): string | undefined {
  if (query.get('client_id') !== clientId) return 'There is no app with this client_id.';
  if (query.get('response_type') !== 'code') return 'The response_type must be code.';
  if (!/^https?:\/\//.test(query.get('redirect_uri') ?? '') || !URL.canParse(query.get('redirect_uri') ?? '')) {
    return 'The redirect_uri is not an address.';
  }
  return typeOf(query) ? undefined : 'The scope asks for no kind of account that is known here.';
}

function parseControl(input: unknown): ConsentControl {
  const change = consentControl.safeParse(input);
  if (change.success) return change.data;
  const problems = change.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new RequestRefused(400, problems.join('; '));
}

function sendHtml(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(html);
}
