import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * How a connection ends whose request was answered before all of it arrived. The unread rest of a body would be taken
 * for the next request, or hold it up: a proxy that reuses the connection would then lose requests of other clients.
 */

/** A connection that is closed while its client still sends is reset, and the client may lose the answer with it. */
const LINGER_MS = 5_000;
/** Well above every limit of a body that is read whole, so that its sender gets to the answer. */
const LINGER_BYTES = 16 * 1024 * 1024;

const closing = new WeakSet<Duplex>();

/** Whether the request announces a body, be it an empty one of unknown length. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether some of the request is still to arrive. Node calls a request without a body complete only after its listener ran. */
export function isIncomplete(request: IncomingMessage): boolean {
  return !request.complete && hasBody(request);
}

type HeadArguments = readonly (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[];

/** A response that announces the end of the connection when it begins before the whole request has arrived. */
export class ClosingResponse extends ServerResponse {
  override writeHead(status: number, ...rest: HeadArguments): this {
    if (!this.headersSent && isIncomplete(this.req)) this.setHeader('connection', 'close');
    return super.writeHead(status, ...(rest as [OutgoingHttpHeaders?]));
  }
}

/** Such a body arrives with its head, or right after it. */
const SMALL_BYTES = 64 * 1024;
const PROMPT_MS = 100;

/**
 * Waits a moment for a small body of a request that is to be refused, and discards it: the connection can then be kept.
 * A body that is larger, of unknown length, or waits for our invitation is not waited for.
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

/** Whether `closeLingering` was called on the connection. */
export function isClosing(socket: Duplex): boolean {
  return closing.has(socket);
}

/**
 * Sends what is left of the answer and the end of the connection, then reads and discards what the client still sends,
 * until it closes too or one of the bounds is reached (RFC 9112, section 9.6). The bytes no longer reach the parser, so
 * no further request begins.
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
  socket.resume(); // whoever read the body may have paused it
}
