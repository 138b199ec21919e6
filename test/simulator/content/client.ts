import type { ExecutionContext } from 'ava';
import { createContent, type ContentOptions } from '../../../simulator/content/content.ts';
import { seededIds } from '../../../simulator/content/seed.ts';
import { callApi, serveApis, type Sent } from '../api-server.ts';

export const demo = seededIds('001');
export const other = seededIds('012');

interface SentForm extends Sent {
  readonly query?: Record<string, string>;
  readonly form?: Record<string, string>;
}

/** The content API alone, on its own clock. */
export async function contentFor(t: ExecutionContext, options: Partial<ContentOptions> = {}) {
  const nowMs = Date.parse('2030-01-10T12:00:00Z');
  const content = createContent({ appSecret: 's', now: () => nowMs, ...options });
  const { url } = await serveApis(t, [content.answer, content.answerUnknown]);

  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, { query, form, ...sent }: SentForm = {}) {
    const base = path.startsWith('http') ? path : url + (path.startsWith('/control') ? path : `/v25.0/${path}`);
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    if (form === undefined) return await callApi(method, base + search, sent);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...sent.headers };
    return await callApi(method, base + search, { ...sent, headers, body: new URLSearchParams(form).toString() });
  }
  const get = async (path: string, query: Record<string, string> = {}) => await call('GET', path, { query });
  const post = async (path: string, form: Record<string, string> = {}) => await call('POST', path, { form });
  const remove = async (path: string) => await call('DELETE', path);

  return { ...content, url, call, get, post, remove };
}
