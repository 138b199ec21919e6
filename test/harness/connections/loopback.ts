import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

export interface OnLoopback {
  readonly port: number;
  readonly url: string;
  /** Ends open connections of HTTP, too. */
  stop(): Promise<void>;
}

/** Lets a server listen on the loopback. */
export async function onLoopback(server: Server, { host = '127.0.0.1', port = 0 } = {}): Promise<OnLoopback> {
  server.listen(port, host);
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    url: `http://${host}:${own}`,
    async stop() {
      server.close();
      if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections();
    },
  };
}
