import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';

export interface RawConnection {
  readonly socket: Socket;
  readonly text: () => string;
  readonly write: (bytes: string | Buffer) => void;
  /** Resolves with the received text once it includes the part. */
  readonly includes: (part: string) => Promise<string>;
  /** Resolves with the received text once the connection is closed. */
  readonly ended: () => Promise<string>;
}

export async function rawConnection(t: ExecutionContext<unknown>, url: string | number): Promise<RawConnection> {
  const port = typeof url === 'number' ? url : Number(new URL(url).port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.on('error', () => undefined); // A reset also ends the connection.
  const ended = new Promise<void>((resolve) => socket.once('end', resolve).once('close', () => resolve()));
  await once(socket, 'connect');
  return {
    socket,
    text: () => text,
    write: (bytes) => void socket.write(bytes),
    async includes(part) {
      while (!text.includes(part)) {
        if (socket.destroyed || socket.readableEnded) throw new Error(`The connection ended without ${part}: ${text}`);
        await Promise.race([once(socket, 'data'), ended]);
      }
      return text;
    },
    ended: () => ended.then(() => text),
  };
}

export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
