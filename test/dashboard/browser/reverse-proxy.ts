import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/**
 * An address that is known before the API behind it is up, as a proxy in front of it has: the API writes its own
 * address into the pages, and a browser follows it.
 */
export async function reverseProxy(t: ExecutionContext<unknown>) {
  let behind = '';
  const server = createServer((incoming, response) => {
    const { method, headers, url } = incoming;
    const outgoing = request(`${behind}${url}`, { method, headers }, (answer) => {
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
      behind = url;
    },
  };
}
