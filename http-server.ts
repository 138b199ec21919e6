import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errorCodes } from './contract/errors.ts';
import type { ErrorBody } from './contract/schemas/error.ts';
import { requestIdOf } from './request-id.ts';

/** What was refused before it was a request: `reason` is Node's code of it, or of ours. */
export interface UnreadableRequest {
  readonly requestId: string;
  readonly code: ErrorCode;
  readonly reason: string;
}

export interface HttpServer extends Omit<ServerOptions, 'requireHostHeader'> {
  readonly listener: RequestListener;
  /** Told of each refusal, for the log. */
  readonly onUnreadable: (refused: UnreadableRequest) => void;
}

/** A connection that is closed on a client that still sends is reset, and the client may lose the answer with it. */
const LINGER_MS = 1_000;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * An HTTP server that answers with the Error object and a request id also what no listener gets to see: bytes that are
 * no HTTP, headers that are too large or come too slowly, a request that names no host. Node by itself answers those
 * with a bare status.
 */
export function createHttpServer({ listener, onUnreadable, ...options }: HttpServer): Server {
  const server = createServer({ ...options, requireHostHeader: false });
  const latest = new WeakMap<Duplex, Exchange>();
  const ended = new WeakSet<Duplex>();
  server.on('request', (request, response) => {
    latest.set(request.socket, { request, response });
    if (!lacksHost(request)) return listener(request, response);
    const refused = refusalOf('NO_HOST', request);
    onUnreadable(refused);
    const { head, body } = answerTo(refused);
    response.writeHead(errorCodes[refused.code], head).end(body);
  });
  // What else a client expects of us is no reason to turn it away; Node would, with a bare 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (ended.has(socket)) return;
    const { request, response } = latest.get(socket) ?? {};
    // Bytes in the midst of an answer, or before one that is still to come, would be taken for part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || isUnderWay(response)) return void socket.destroy();
    const refused = refusalOf(error.code ?? 'UNKNOWN', response?.headersSent ? undefined : request);
    onUnreadable(refused);
    ended.add(socket);
    socket.end(asBytes(refused), () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
  });
  return server;
}

/** Whether an answer, or one before it on the same connection, has been begun and not been ended. */
function isUnderWay(response: ServerResponse | undefined): boolean {
  if (response === undefined || response.writableFinished) return false;
  const waitsForAnother = response.socket === null;
  return waitsForAnother || (response.headersSent && !response.writableEnded);
}

/** HTTP/1.1 wants the host named; a request of HTTP/1.0 may leave it out. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

function refusalOf(reason: string, request: IncomingMessage | undefined): UnreadableRequest {
  return { requestId: requestIdOf(request?.headers['x-request-id']), code: codeOf(reason), reason };
}

function codeOf(reason: string): ErrorCode {
  switch (reason) {
    case 'HPE_HEADER_OVERFLOW':
      return 'HEADERS_TOO_LARGE';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'PAYLOAD_TOO_LARGE';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'REQUEST_TIMEOUT';
    default:
      return 'VALIDATION_ERROR';
  }
}

const messages: Partial<Record<ErrorCode, string>> = {
  HEADERS_TOO_LARGE: 'The headers of the request are too large.',
  PAYLOAD_TOO_LARGE: 'The extensions of the chunks are too large.',
  REQUEST_TIMEOUT: 'The request did not come in time.',
};

function answerTo({ code, requestId, reason }: UnreadableRequest) {
  const otherwise =
    reason === 'NO_HOST' ? 'The request has no Host header.' : 'This is not a well-formed HTTP request.';
  const message = messages[code] ?? otherwise;
  const body = JSON.stringify({ statusCode: errorCodes[code], code, message, requestId } satisfies ErrorBody);
  const head = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  return { head, body };
}

function asBytes(refused: UnreadableRequest): string {
  const { head, body } = answerTo(refused);
  const status = errorCodes[refused.code];
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
