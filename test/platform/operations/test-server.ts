import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import type { ChannelType } from '../../../contract/event-types.ts';
import type { CallReport } from '../../../platform/client/call-report.ts';
import { createPlatformOperations } from '../../../platform/operations/operations.ts';
import { onLoopback } from '../../harness/connections/loopback.ts';

export type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;
export const json =
  (value: unknown, { status = 200, ...headers }: { readonly status?: number; readonly [name: string]: unknown } = {}) =>
  (response: ServerResponse): unknown =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers } as never).end(JSON.stringify(value));

/** Answers by method and path, in turn where there are several answers. */
export async function operationsFor(
  t: ExecutionContext,
  type: ChannelType,
  answers: Readonly<Record<string, Respond | readonly Respond[]>>,
) {
  const seen: { call: string; query: URLSearchParams; body: string; headers: IncomingMessage['headers'] }[] = [];
  const reports: CallReport[] = [];
  const counts = new Map<string, number>();
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://x');
    const call = `${request.method} ${pathname}`;
    seen.push({ call, query, body: await text(request), headers: request.headers });
    const given = answers[call];
    const list = Array.isArray(given) ? (given as readonly Respond[]) : [given as Respond | undefined];
    const count = counts.get(call) ?? 0;
    counts.set(call, count + 1);
    const respond = list[Math.min(count, list.length - 1)] ?? json({ error: { code: 100 } }, { status: 400 });
    respond(response, request);
  }
  const { url, stop } = await onLoopback(server);
  const operations = createPlatformOperations({
    apiUrl: url,
    clientId: '4711',
    appSecret: 'app secret',
    timeoutMs: 120_000,
  });
  t.teardown(async () => {
    await operations.close();
    await stop();
  });
  const onCall = (report: CallReport) => void reports.push(report);
  const client = operations.actFor({ type, resourceId: '77', token: 'EAAB-the/token', onCall });
  return { client, seen, reports, url };
}
