import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { parseInput, readJson, RequestRefused, sendJson } from '../servers/http-server.ts';
import { webhookScript, type ScriptedWebhook } from './scripted-webhook.ts';

/** Limits how long a lost client holds a waiter. Clients repeat longer waits. */
const MAX_WAIT_MS = 60_000;

const whole = z.coerce.number().int().min(0);

const requestsQuery = z.object({
  after: whole.default(0),
  limit: whole.max(1000).default(100),
  waitMs: whole.max(MAX_WAIT_MS).default(0),
});

interface ControlRequest {
  readonly webhook: ScriptedWebhook;
  readonly action: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export async function controlWebhook({ webhook, action, query, request, response }: ControlRequest): Promise<void> {
  switch (`${request.method} ${action}`) {
    case 'PUT ':
      webhook.set(parseInput(webhookScript, await readJson(request)));
      return sendJson(response, 200, present(webhook));
    case 'GET ':
      return sendJson(response, 200, present(webhook));
    case 'GET requests': {
      const { after, limit, waitMs } = parseInput(requestsQuery, Object.fromEntries(query));
      await webhook.log.waitUntil(() => webhook.log.nextNumber > after + 1, waitMs);
      return sendJson(response, 200, { requests: webhook.requests({ after, limit }) });
    }
    case 'DELETE requests':
      webhook.clear();
      response.writeHead(204).end();
      return;
    default:
      throw new RequestRefused(404, 'Unknown control address. See simulator/receiver/control.ts.');
  }
}

function present(webhook: ScriptedWebhook) {
  return { url: webhook.url, answersLeft: webhook.answersLeft, ...webhook.log.counts };
}
