import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import type { ExecutionContext } from 'ava';

export interface McpSession {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mode?: VersionNegotiationMode;
  readonly query?: string;
}

export async function mcpClient(
  t: ExecutionContext<unknown>,
  url: string,
  { key, headers, mode = 'auto', query = '' }: McpSession = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { ...(key !== undefined && { 'x-api-key': key }), ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit }));
  t.teardown(() => client.close());
  return client;
}

export function refusalOf(result: Awaited<ReturnType<Client['callTool']>>) {
  const [content] = result.content;
  return result.isError && content?.type === 'text' ? JSON.parse(content.text) : undefined;
}

export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
} as const;

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- any JSON
  readonly messages: any[]; // eslint-disable-line @typescript-eslint/no-explicit-any -- any JSON
}

/** Posts messages without a client. Strings are sent unchanged. */
export async function postMcp(
  url: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<McpAnswer> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const messages = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text, messages };
}
