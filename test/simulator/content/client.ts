import type { ExecutionContext } from 'ava';
import { request } from 'undici';
import { seededIds } from '../../../simulator/content/seed.ts';
import { createContent, type ContentOptions } from '../../../simulator/content/content.ts';
import { listen, sendError, sendJson } from '../../../simulator/servers/http-server.ts';
import type { WebhookItem } from '../../../simulator/webhooks/item.ts';

export const demo = seededIds('001');
export const other = seededIds('012');

interface Sent {
  readonly query?: Record<string, string>;
  readonly form?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

/** The content side alone on a server, on its own clock, with a client of it. */
export async function contentFor(t: ExecutionContext, options: Partial<ContentOptions> = {}) {
  const clock = { nowMs: Date.parse('2030-01-10T12:00:00Z') };
  const reported: WebhookItem[] = [];
  const content = createContent({
    appSecret: 's',
    now: () => clock.nowMs,
    sendItem: (item) => reported.push(item),
    ...options,
  });
  const server = await listen({
    port: 0,
    onRequest: (incoming, response) => {
      const answered = async (): Promise<void> => {
        if (await content.answer(incoming, response)) return;
        if (await content.answerUnknown(incoming, response)) return;
        sendJson(response, 404, { message: 'none of the sides' });
      };
      answered().catch((error: unknown) => sendError(response, error));
    },
  });
  t.teardown(server.stop);

  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, { query, form, body, headers }: Sent = {}) {
    const base = path.startsWith('http') ? path : server.url + (path.startsWith('/control') ? path : `/v25.0/${path}`);
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const sent = form === undefined ? body : new URLSearchParams(form).toString();
    const answer = await request(base + search, {
      method,
      headers: {
        authorization: 'Bearer token',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const text = await answer.body.text();
    const json = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: answer.statusCode, headers: answer.headers, text, body: json };
  }
  const get = async (path: string, query: Record<string, string> = {}) => await call('GET', path, { query });
  const post = async (path: string, form: Record<string, string> = {}) => await call('POST', path, { form });
  const remove = async (path: string) => await call('DELETE', path);
  /** Field and value of the webhooks so far. */
  const changes = () => reported.map(({ place }) => ('field' in place ? [place.field, place.value] : []));

  return { ...content, url: server.url, clock, call, get, post, remove, reported, changes };
}

/** Status, code and subcode of a refusal. */
export function refusal(answer: {
  status: number;
  body: { error?: { code: number; error_subcode?: number; message: string } };
}) {
  return [answer.status, answer.body.error?.code, answer.body.error?.error_subcode];
}
