import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import { parseCidrs } from '../../contract/addresses/classify-address.ts';
import { createEgress, type Egress, type EgressOptions, type EgressRequest } from '../../egress/client.ts';
import { selfSigned } from './self-signed.ts';

export interface TestServer {
  readonly port: number;
  readonly url: string;
  readonly connectionCount: () => number;
}

export function httpServer(t: ExecutionContext, onRequest: RequestListener): Promise<TestServer> {
  const server = createHttpServer(onRequest);
  return listening(t, server, 'http');
}

/** Uses an untrusted certificate. */
export function httpsServer(
  t: ExecutionContext,
  onRequest: RequestListener,
  { cert, key }: { readonly cert: string; readonly key: string } = selfSigned,
): Promise<TestServer> {
  return listening(t, createHttpsServer({ cert, key }, onRequest), 'https');
}

export function tcpServer(t: ExecutionContext, onSocket: (socket: Socket) => void): Promise<TestServer> {
  return listening(t, createTcpServer(onSocket), 'http');
}

async function listening(t: ExecutionContext, server: Server, scheme: 'http' | 'https'): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = addressOf(server);
  return { port, url: `${scheme}://127.0.0.1:${port}/hook`, connectionCount: () => count };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port');
  return address;
}

/** Returns a URL with a closed loopback port. */
export async function deafUrl(): Promise<string> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressOf(server);
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}/hook`;
}

/** Far more than a busy machine needs. */
const PATIENCE_MS = 60_000;

export function loopbackEgress(t: ExecutionContext, options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({
    allowCidrs: parseCidrs('127.0.0.1'),
    allowHttp: true,
    timeoutMs: PATIENCE_MS,
    connectTimeoutMs: PATIENCE_MS,
    dnsCacheMs: 0,
    dnsFailureCacheMs: 0,
    ...options,
  });
  t.teardown(() => egress.close());
  return egress;
}

export function post(url: string, more: Partial<EgressRequest> = {}): EgressRequest {
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{}', ...more };
}
