import type { ExecutionContext } from 'ava';
import type { OutboundCall } from '../../../db/operations/outbound-calls.ts';
import { createPlatformOAuth } from '../../../platform/oauth/oauth.ts';
import { createPlatformOperations } from '../../../platform/operations/operations.ts';
import { type Platform, startPlatform } from '../../../simulator/platform.ts';
import { baseUrl, testApi, type TestApi } from '../api/api.ts';
import type { RateLimits } from '../../../api/requests/rate-limits.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { rememberingLog } from '../quiet-log.ts';
import { aTenant, type Tenant } from '../tenants.ts';

const appSecret = 'app secret';

export interface PageAnswer {
  readonly status: number;
  readonly html: string;
  readonly url: string;
  readonly headers: Headers;
  readonly hops: readonly string[];
}

export interface ConnectStage extends TestApi {
  readonly platform: Platform;
  readonly tenant: Tenant;
  readonly log: ReturnType<typeof rememberingLog>;
  readonly calls: readonly OutboundCall[];
  /** Channels whose health was asked for. */
  readonly healthChecks: readonly string[];
  readonly visitor: () => Visitor;
  readonly link: (link?: {
    channelType?: string;
    workspaceId?: string;
    by?: Tenant;
    returns?: object;
  }) => Promise<{ id: string; url: string }>;
}

interface ConnectStageOptions {
  readonly timeoutMs?: number;
  readonly ownBaseUrl?: string;
  readonly rateLimits?: RateLimits;
}

export async function connectStage(
  t: ExecutionContext<unknown>,
  { timeoutMs = 120_000, ownBaseUrl = baseUrl, rateLimits }: ConnectStageOptions = {},
): Promise<ConnectStage> {
  const platform = await startPlatform({ port: 0, appSecret, webhookUrl: 'http://127.0.0.1:1/' });
  const platformOAuth = createPlatformOAuth({
    oauthUrl: `${platform.url}/dialog/oauth`,
    apiUrl: platform.url,
    apiVersion: 'v23.0',
    clientId: 'demo-app',
    appSecret,
    timeoutMs,
  });
  const operations = createPlatformOperations({ apiUrl: platform.url, clientId: 'demo-app', appSecret, timeoutMs });
  t.teardown(() => Promise.all([platform.stop(), platformOAuth.close(), operations.close()]));
  const log = rememberingLog();
  const calls: OutboundCall[] = [];
  const outbound = { record: (call: OutboundCall) => void calls.push(call), stop: () => Promise.resolve() };
  const healthChecks: string[] = [];
  const temporal: Partial<WorkflowStarts> = {
    checkHealth: ({ channelId }) => {
      healthChecks.push(channelId);
      return Promise.resolve({ state: 'ended', result: 'checked' });
    },
  };
  const api = await testApi(t, {
    starts: temporal,
    platformOAuth,
    platform: operations,
    log,
    outbound,
    baseUrl: ownBaseUrl,
    ...(rateLimits && { rateLimits }),
  });
  const tenant = await aTenant(api.db);
  return {
    ...api,
    platform,
    tenant,
    log,
    calls,
    healthChecks,
    visitor: () => new Visitor(api.url),
    async link({ channelType = 'chatapp', workspaceId, by = tenant, returns = {} } = {}) {
      const route = `POST /organizations/${by.organization.publicId}/onboarding-links`;
      const own = workspaceId === undefined ? {} : { workspaceId };
      const body = { label: 'Spring campaign', channelType, ...own, ...returns };
      const answer = await api.call(route, { key: by.apiKey, body });
      t.is(answer.status, 201, JSON.stringify(answer.body));
      return { id: answer.body.onboardingLinkId, url: answer.body.url };
    },
  };
}

const MAX_HOPS = 10;

/** A browser without JavaScript. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #apiUrl: string;
  readonly #ownBaseUrl: string;

  /** @param ownBaseUrl how the links name the API */
  constructor(apiUrl: string, ownBaseUrl = baseUrl) {
    this.#apiUrl = apiUrl;
    this.#ownBaseUrl = ownBaseUrl;
  }

  async open(url: string, { stopAt }: { stopAt?: RegExp } = {}): Promise<PageAnswer> {
    return await this.#walk(url, { method: 'GET' }, stopAt);
  }

  async submit(
    page: PageAnswer,
    fields: readonly (readonly [string, string])[] = [],
    { stopAt, headers = {} }: { stopAt?: RegExp; headers?: Record<string, string> } = {},
  ): Promise<PageAnswer> {
    const action = /<form[^>]* action="([^"]*)"/.exec(page.html)?.[1] ?? '';
    const hidden = [...page.html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const body = new URLSearchParams([
      ...hidden.map(([, name = '', value = '']): [string, string] => [name, plain(value)]),
      ...fields.map(([name, value]): [string, string] => [name, value]),
    ]);
    const url = new URL(plain(action) || page.url, page.url).href;
    return await this.#walk(url, { method: 'POST', body, headers: { origin: 'null', ...headers } }, stopAt);
  }

  /** Grants these accounts on the platform's consent page; null refuses. */
  async consent(linkUrl: string, accounts: readonly string[] | null, stopAt?: RegExp): Promise<PageAnswer> {
    const consentPage = await this.submit(await this.open(linkUrl));
    const decision: [string, string] = ['decision', accounts ? 'allow' : 'refuse'];
    const fields = (accounts ?? []).map((id): [string, string] => ['account', id]);
    return await this.submit(consentPage, [...fields, decision], { ...(stopAt && { stopAt }) });
  }

  async #walk(url: string, init: RequestInit, stopAt?: RegExp): Promise<PageAnswer> {
    const hops = [url];
    let next = init;
    for (;;) {
      const at = hops.at(-1) ?? url;
      const response = await this.#request(at, next);
      const location = response.headers.get('location');
      const target = location === null ? undefined : new URL(location, at).href;
      if (target === undefined || stopAt?.test(target) || hops.length > MAX_HOPS) {
        const html = await response.text();
        return { status: response.status, html, url: target ?? at, headers: response.headers, hops };
      }
      await response.arrayBuffer();
      hops.push(target);
      next = { method: 'GET' };
    }
  }

  async #request(url: string, init: RequestInit): Promise<Response> {
    const isOurs = url.startsWith(this.#ownBaseUrl);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(isOurs && cookie && { cookie }) };
    const real = isOurs ? this.#apiUrl + url.slice(this.#ownBaseUrl.length) : url;
    const response = await fetch(real, { ...init, headers, redirect: 'manual' });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (isOurs) this.cookies.set(name, value);
    }
    return response;
  }
}

function plain(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
