import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { ExecutionContext } from 'ava';

export interface Listening {
  readonly port: number;
  readonly url: string;
}

/** Lets a server listen on a free port of the loopback until the end of the test. */
export async function listening(t: ExecutionContext<unknown>, server: Server): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    if (server instanceof HttpServer) server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}
