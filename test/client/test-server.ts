import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ExecutionContext } from 'ava';
import { type ApiClient, type ClientOptions, createClient } from '../../client/create-client.ts';
import { listening } from '../harness/connections/listening.ts';

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
  const { url } = await listening(t, server);
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
