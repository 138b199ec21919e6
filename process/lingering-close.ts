import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The rest of a request that was answered early must not be parsed as the next request, or a proxy that reuses the
 * connection loses requests of other clients.
 */

/** Closing while the client still sends resets the connection, and the response can be lost. */
const LINGER_MS = 5_000;
/** Well above the limits of bodies that are read whole. */
const LINGER_BYTES = 16 * 1024 * 1024;

const closing = new WeakSet<Duplex>();

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Node marks a request without a body as complete only after its listener ran. */
export function isIncomplete(request: IncomingMessage): boolean {
  return !request.complete && hasBody(request);
}

type HeadArguments = readonly (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[];

export class ClosingResponse extends ServerResponse {
  override writeHead(status: number, ...rest: HeadArguments): this {
    const closes = isIncomplete(this.req) || !this.shouldKeepAlive;
    if (!this.headersSent && closes) this.setHeader('connection', 'close');
    return super.writeHead(status, ...(rest as [OutgoingHttpHeaders?]));
  }
}

/** Such a body arrives right after the headers. */
const SMALL_BYTES = 64 * 1024;
const PROMPT_MS = 100;

/**
 * Discards a small body of a request that will be rejected, so that the connection can be kept. Returns immediately if
 * the body is larger, of unknown length, or waits for 100 Continue.
 */
export async function awaitSmallRest(request: IncomingMessage): Promise<void> {
  const { headers } = request;
  if (!isIncomplete(request) || request.destroyed) return;
  if (!(Number(headers['content-length']) <= SMALL_BYTES) || headers.expect !== undefined) return;
  await new Promise<void>((resolve) => {
    const overdue = setTimeout(resolve, PROMPT_MS);
    const over = (): void => {
      clearTimeout(overdue);
      resolve();
    };
    request.once('end', over).once('close', over).once('error', over).resume();
  });
}

export function isClosing(socket: Duplex): boolean {
  return closing.has(socket);
}

/**
 * Sends the rest of the response, then discards input until the client closes or a limit is reached (RFC 9112, section
 * 9.6). The bytes bypass the parser.
 */
export function closeLingering(socket: Duplex): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  let bytesLeft = LINGER_BYTES;
  const overdue = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(overdue));
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytesLeft -= chunk.length;
    if (bytesLeft < 0) socket.destroy();
  });
  socket.end();
  socket.resume(); // The reader of the body may have paused it.
}
