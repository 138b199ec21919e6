import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendHtml } from '../servers/html.ts';
import { listen, RequestRefused, sendError, sendJson, type RunningServer } from '../servers/http-server.ts';
import { controlWebhook } from './control.ts';
import { indexPage } from './index-page.ts';
import { type ReceivedRequest, ScriptedWebhook } from './scripted-webhook.ts';

/**
 * Each path `/webhook/<name>` is a webhook that answers by its script, checks signatures and records requests.
 * `/control/webhooks/` and `webhook(name)` script it.
 */
export interface ReceiverOptions {
  readonly port: number;
  readonly hosts?: readonly string[];
}

export interface Receiver extends RunningServer {
  /** Creates the webhook on first use. */
  readonly webhook: (name: string) => ScriptedWebhook;
  readonly requests: (name: string) => ReceivedRequest[];
}

/** Limited, because callers choose the names. */
const MAX_WEBHOOKS = 20_000;

export async function startReceiver({ port, hosts = [] }: ReceiverOptions) {
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
    const made = new ScriptedWebhook(url);
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
    sendHtml(response, 200, { html: indexPage(webhooks) });
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

function decodeName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new RequestRefused(400, 'Invalid webhook name. Percent-encode it as UTF-8.');
  }
}
