import { connect, type Socket } from 'node:net';

/**
 * Sends one request at a time. Reads only the status and length of responses, because the publisher shares the cores
 * with the service.
 */
export interface Connection {
  send(request: Buffer): Promise<number>;
  close(): void;
}

const HEAD_END = '\r\n\r\n';

export async function openConnection({ host, port }: { host: string; port: number }): Promise<Connection> {
  const socket = connect({ host, port, noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received = '';
  let answered: ((status: number) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;

  const fail = (error: Error): void => failed?.(error);
  socket.on('error', fail).on('close', () => fail(new Error('The server closed the connection')));
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
    const status = statusOfWhole(received);
    if (status === undefined) return;
    received = '';
    answered?.(status);
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('The server had closed the connection'));
        answered = resolve;
        failed = reject;
        socket.write(request);
      }),
    close: () => end(socket),
  };
}

function statusOfWhole(text: string): number | undefined {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  const status = Number(text.slice(9, 12));
  if (length === undefined && status !== 204) throw new Error(`An answer without a length:\n${text}`);
  return text.length >= headEnd + HEAD_END.length + Number(length ?? 0) ? status : undefined;
}

function end(socket: Socket): void {
  socket.removeAllListeners('close').destroy();
}
