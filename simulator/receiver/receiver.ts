import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, RequestRefused, sendError, sendJson, type RunningServer } from '../servers/http-server.ts';
import { controlWebhook } from './control.ts';
import { indexPage } from './index-page.ts';
import type { ReceivedRequest } from './request-record.ts';
import { ScriptedWebhook } from './scripted-webhook.ts';

/**
 * Each path `/webhook/<name>` is a webhook that answers by its script, checks signatures and records requests.
 * `/control/webhooks/` and `webhook(name)` script it.
 */
export interface ReceiverOptions {
  readonly port: number;
  readonly hosts?: readonly string[];
  readonly keepBodies?: boolean;
  /** Per webhook. */
  readonly maxRequests?: number;
}

export interface Receiver extends RunningServer {
  /** Creates the webhook on first use. */
  readonly webhook: (name: string) => ScriptedWebhook;
  readonly requests: (name: string) => ReceivedRequest[];
}

const MAX_REQUESTS = 100_000;
const MAX_KEPT_BYTES = 256 * 1024;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Limited, because callers choose the names. */
const MAX_WEBHOOKS = 20_000;

export async function startReceiver(options: ReceiverOptions) {
  const { port, hosts = [], keepBodies = true, maxRequests = MAX_REQUESTS } = options;
  const webhooks = new Map<string, ScriptedWebhook>();

  function webhook(name: string): ScriptedWebhook {
    const known = webhooks.get(name);
    if (known) return known;
    if (webhooks.size >= MAX_WEBHOOKS)
      throw new RequestRefused(
        404,
        `The receiver already has ${MAX_WEBHOOKS} webhooks. Restart it, or use one of them.`,
      );
    const url = `${server.url}/webhook/${encodeURIComponent(name)}`;
    const limits = { maxRequests, maxBodyBytes: MAX_BODY_BYTES, maxKeptBytes: MAX_KEPT_BYTES };
    const made = new ScriptedWebhook({ url, keepBodies, ...limits });
    webhooks.set(name, made);
    return made;
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver');
    const [, area, second, third, ...rest] = pathname.split('/');
    if (area === 'webhook' && second) return webhook(decodeName(second)).receive(request, response);
    if (area === 'control' && second === 'webhooks' && third) {
      const action = rest.join('/');
      return controlWebhook({ webhook: webhook(decodeName(third)), action, query: searchParams, request, response });
    }
    if (pathname === '/healthz') return sendJson(response, 200, { status: 'ok' });
    if (pathname !== '/')
      throw new RequestRefused(
        404,
        'Unknown address. The receiver serves /webhook/<name>, /control/webhooks/<name> and /.',
      );
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CSP });
    response.end(indexPage(webhooks));
  }

  const server = await listen({
    port,
    hosts,
    onRequest: (request, response) => {
      route(request, response).catch((error: unknown) => sendError(response, error));
    },
  });
  return { ...server, webhook, requests: (name) => webhook(name).requests() } satisfies Receiver;
}

/** The page shows untrusted text, so nothing may run or load. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'";

function decodeName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new RequestRefused(400, 'Invalid webhook name. Percent-encode it as UTF-8.');
  }
}
