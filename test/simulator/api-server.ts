import type { ExecutionContext } from 'ava';
import { request } from 'undici';
import type { Answering } from '../../simulator/scripted-api/control.ts';
import { listen, RequestRefused, sendError } from '../../simulator/servers/http-server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Sent {
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** The first API that knows an address answers. `goneCount` counts callers that left before the answer. */
export async function serveApis(t: ExecutionContext, answers: readonly Answering[]) {
  let goneCount = 0;
  const route: Answering = async (incoming, response) => {
    for (const answer of answers) if (await answer(incoming, response)) return true;
    throw new RequestRefused(404, 'No API has this address');
  };
  const server = await listen({
    port: 0,
    onRequest: (incoming, response) => {
      response.once('close', () => (goneCount += response.writableFinished ? 0 : 1));
      route(incoming, response).catch((error: unknown) => sendError(response, error));
    },
  });
  t.teardown(server.stop);
  return { url: server.url, goneCount: () => goneCount };
}

export async function callApi(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  { headers, ...sent }: Sent = {},
): Promise<Answer> {
  const answer = await request(url, { method, headers: { authorization: 'Bearer token', ...headers }, ...sent });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const text = bytes.toString('utf8');
  const body = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: answer.statusCode, headers: answer.headers, bytes, text, body };
}

/** Status, code and subcode. */
export function refusal({ status, body }: Pick<Answer, 'status' | 'body'>): unknown[] {
  return [status, body.error?.code, body.error?.error_subcode];
}
