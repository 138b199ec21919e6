import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { createPlatformMedia } from '../../../platform/media/media.ts';
import { onLoopback } from '../../harness/connections/loopback.ts';

export type Answer = (response: ServerResponse) => unknown;
export interface Seen {
  readonly call: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
  readonly proof: string | null;
}

export const account = { resourceId: '4711', token: 'EAAB-the/token' };
export const signal = new AbortController().signal;
export const json =
  (value: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
export const refusal = (error: object, status = 400) => json({ error }, status);

/** The last answer repeats. */
export async function mediaFor(
  t: ExecutionContext,
  answers: readonly Answer[],
  { apiUrl, timeoutMs = 120_000 }: { readonly apiUrl?: string; readonly timeoutMs?: number } = {},
) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const { method, headers } = request;
    const proof = searchParams.get('appsecret_proof');
    searchParams.delete('appsecret_proof');
    const call = [`${method} ${pathname}`, searchParams.toString()].filter(Boolean).join('?');
    seen.push({ call, body: await text(request), headers, proof });
    answers[Math.min(seen.length, answers.length) - 1]?.(response);
  }
  const { url, stop } = await onLoopback(server);
  const media = createPlatformMedia({ apiUrl: apiUrl ?? url, appSecret: 'app secret', timeoutMs });
  t.teardown(async () => {
    await media.close();
    await stop();
  });
  return { media, seen };
}
