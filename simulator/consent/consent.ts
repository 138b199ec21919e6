import type { ServerResponse } from 'node:http';
import type { ChannelType } from '../../contract/event-types.ts';
import { createControl, type Answering } from '../scripted-api/control.ts';
import { DelayedAnswers } from '../servers/delayed-answers.ts';
import { sendHtml } from '../servers/html.ts';
import { readBody } from '../servers/http-server.ts';
import { type Accounts, consentControl, createAccounts, type ConsentControlInput } from './accounts.ts';
import { createConsentApi } from './api.ts';
import { consentPage, consentProblem } from './page.ts';
import { createConsentTokens } from './tokens.ts';

/**
 * The platform's OAuth: the customer's dialog and the API for tokens. `/control/consent` sets the customer's accounts
 * and the next fault.
 */
export interface Consent {
  readonly answer: Answering;
  readonly control: (change: ConsentControlInput) => void;
  readonly accounts: Accounts;
}

const scopeWords: readonly (readonly [ChannelType, readonly string[]])[] = [
  ['chatapp', ['whatsapp_business_management', 'whatsapp_business_messaging', 'chatapp']],
  ['pageapp', ['pages_messaging', 'pageapp']],
  ['photoapp', ['instagram_basic', 'photoapp']],
];
const hiddenFields = ['client_id', 'redirect_uri', 'response_type', 'state', 'scope'] as const;
const MAX_FORM_BYTES = 64 * 1024;

export function createConsent({ clientId, appSecret }: { clientId: string; appSecret: string }): Consent {
  const accounts = createAccounts();
  const tokens = createConsentTokens(appSecret);
  const delays = new DelayedAnswers();
  const api = createConsentApi({ clientId, appSecret, accounts, tokens, delays });
  const control = createControl({
    path: '/control/consent',
    schema: consentControl,
    apply: accounts.control,
    reset: accounts.reset,
    state: () => ({ ...accounts.state(), subscriptions: Object.fromEntries(accounts.subscriptions) }),
  });

  function ask(response: ServerResponse, query: URLSearchParams): void {
    const problem = problemOf(query, clientId);
    if (problem !== undefined) return sendHtml(response, 400, { html: consentProblem(problem) });
    const hidden = Object.fromEntries(hiddenFields.map((name) => [name, query.get(name) ?? '']));
    sendHtml(response, 200, { html: consentPage({ accounts: accounts.offered(typeOf(query) ?? 'chatapp'), hidden }) });
  }

  function decide(response: ServerResponse, form: URLSearchParams): void {
    const type = typeOf(form);
    const problem = problemOf(form, clientId);
    if (problem !== undefined || !type)
      return sendHtml(response, 400, { html: consentProblem(problem ?? 'Unknown scope') });
    const redirectUri = form.get('redirect_uri') ?? '';
    const offered = new Set(accounts.offered(type).map(({ id }) => id));
    const accountIds = form.getAll('account').filter((id) => offered.has(id));
    const outcome =
      form.get('decision') === 'allow'
        ? { code: tokens.issueCode({ type, accountIds, scopes: scopesIn(form), redirectUri }) }
        : { error: 'access_denied', error_reason: 'user_denied', error_description: 'Permissions error' };
    const target = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...outcome, state: form.get('state') ?? '' })) {
      target.searchParams.set(name, value);
    }
    response.writeHead(302, { location: target.href, 'content-length': 0 }).end();
  }

  return {
    control: control.control,
    accounts,
    async answer(request, response) {
      const url = new URL(request.url ?? '/', 'http://platform');
      switch (`${request.method} ${url.pathname}`) {
        case 'GET /dialog/oauth':
          ask(response, url.searchParams);
          return true;
        case 'POST /dialog/oauth':
          decide(response, new URLSearchParams((await readBody(request, MAX_FORM_BYTES)).toString()));
          return true;
        default:
          return (await control.answer(request, response)) || (await api(request, response));
      }
    },
  };
}

function typeOf(query: URLSearchParams): ChannelType | undefined {
  const scopes = new Set(scopesIn(query));
  return scopeWords.find(([, words]) => words.some((word) => scopes.has(word)))?.[0];
}

function scopesIn(query: URLSearchParams): string[] {
  return (query.get('scope') ?? '').split(/[ ,]+/).filter((scope) => scope !== '');
}

function problemOf(query: URLSearchParams, clientId: string): string | undefined {
  if (query.get('client_id') !== clientId) return 'Unknown client_id. Use the one in PLATFORM_CLIENT_ID.';
  if (query.get('response_type') !== 'code') return 'The response_type must be code.';
  if (!/^https?:\/\//.test(query.get('redirect_uri') ?? '') || !URL.canParse(query.get('redirect_uri') ?? '')) {
    return 'The redirect_uri must be an http or https URL.';
  }
  return typeOf(query) ? undefined : 'The scope names no known permission, such as pages_messaging.';
}
