import { connect, createServer, type Socket } from 'node:net';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { onLoopback } from '../harness/connections/loopback.ts';

export interface TcpProxyOptions {
  readonly name: string;
  /** Port of the server behind it, on the loopback. */
  readonly port: number;
}

/**
 * A network path to a server, which can be cut. While cut, no byte passes, no connection ends and new ones get no
 * answer, as in a network partition. What was under way arrives once it is mended, however old it is by then.
 */
export interface TcpProxy {
  readonly port: number;
  cut(): void;
  mend(): void;
  /** Passes no byte of the connections that are open, without a reset, as if their host had gone silent. */
  freeze(): void;
  /** Breaks all connections. New ones go to the other server. */
  moveTo(port: number): void;
  /** Keeps open connections. New ones go to the other server, as behind a load balancer that drains the first one. */
  drainTo(port: number): void;
}

export async function startTcpProxy({ name, port: first }: TcpProxyOptions, stops: StopList): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let target = first;
  let isCut = false;

  const server = createServer((near) => {
    const far = connect({ port: target, host: '127.0.0.1' });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('data', (chunk) => {
        if (other.write(chunk)) return;
        one.pause();
        other.once('drain', () => isCut || one.resume());
      });
      one.on('error', () => undefined);
      // A close is not noticed while the path is cut, because a paused socket does not read it.
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    if (isCut) for (const socket of [near, far]) socket.pause();
  });
  const { port, stop } = await onLoopback(server);
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  stops.add({
    name,
    stop: async () => {
      await stop();
      breakAll();
    },
  });
  return {
    port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    freeze() {
      for (const socket of sockets) socket.pause();
    },
    mend() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    moveTo(other) {
      target = other;
      breakAll();
    },
    drainTo(other) {
      target = other;
    },
  };
}
