import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** The proxy's address is known before the API starts, because the API puts its own address into pages. */
export async function reverseProxy(t: ExecutionContext<unknown>) {
  let targetUrl = '';
  const server = createServer((incoming, response) => {
    const { method, headers, url } = incoming;
    const outgoing = request(`${targetUrl}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo: (url: string) => {
      targetUrl = url;
    },
  };
}
