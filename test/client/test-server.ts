import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { type ApiClient, type ClientOptions, createClient } from '../../client/create-client.ts';

export interface TestServer {
  readonly url: string;
  readonly requests: IncomingMessage[];
  client(options?: Partial<ClientOptions>): ApiClient;
}

export async function startTestServer(
  t: ExecutionContext<unknown>,
  answer: (request: IncomingMessage, response: ServerResponse, index: number) => void,
): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => answer(request, response, requests.push(request) - 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, client: (options) => createClient({ baseUrl: url, ...options }) };
}

interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function sendJson(response: ServerResponse, { status, body, headers }: JsonAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
