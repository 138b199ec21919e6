import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  STATUS_CODES,
} from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { BODY_MS, type Exchange, isBodyOverdue } from './body-deadline.ts';
import { type ErrorBody, type ErrorCode, errorCodes } from '../contract/errors.ts';
import { ClosingResponse, closeLingering, isClosing, isIncomplete } from './lingering-close.ts';
import { requestIdOf } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

/** What was refused before it was a request: `reason` is Node's code of it, or of ours. */
export interface UnreadableRequest {
  readonly requestId: string;
  readonly code: ErrorCode;
  readonly reason: string;
}

export interface HttpServer extends Omit<ServerOptions, 'requireHostHeader' | 'requestTimeout' | 'ServerResponse'> {
  readonly listener: RequestListener;
  /** Told of each refusal, for the log. */
  readonly onUnreadable: (refused: UnreadableRequest) => void;
  /** How long a body may take that is no file; 30 s by default. */
  readonly bodyMs?: number;
}

/** From the first byte of a connection or a request to the end of its headers. */
const HEADERS_MS = 10_000;
/** How often connections are checked for what is overdue. */
const CHECK_MS = 1_000;
/** Node's code for headers that are late, and ours for a body that is. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * An HTTP server that answers with the Error object and a request id also what no listener gets to see: bytes that are
 * no HTTP, headers that are too large, headers or a body that come too slowly, a request that names no host. Node by
 * itself answers those with a bare status. Whatever is answered before its request has arrived completely ends the
 * connection, and the rest of the request is discarded.
 */
export function createHttpServer({ listener, onUnreadable, bodyMs = BODY_MS, ...options }: HttpServer): Server {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: CHECK_MS,
    ...options,
    // Node knows one time for all requests, and files need more than others.
    requestTimeout: 0,
    requireHostHeader: false,
    ServerResponse: ClosingResponse,
  });
  const latest = new Map<Duplex, Exchange>();
  server.on('connection', (socket) => {
    const { destroySoon } = socket;
    // Node calls this after the last answer of a connection.
    socket.destroySoon = () => {
      const exchange = latest.get(socket);
      if (exchange && isIncomplete(exchange.request)) closeLingering(socket);
      else destroySoon.call(socket);
    };
    socket.once('close', () => latest.delete(socket));
  });
  server.on('request', (request, response) => {
    latest.set(request.socket, { socket: request.socket, request, response });
    if (!lacksHost(request)) return listener(request, response);
    const refused = refusalOf('NO_HOST', request);
    onUnreadable(refused);
    const { head, body } = answerTo(refused);
    response.writeHead(errorCodes[refused.code], head).end(body);
  });
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    server.emit('request', request, response);
  });
  // What else a client expects of us is no reason to turn it away; Node would, with a bare 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!isClosing(socket)) refuseUnread(socket, error.code ?? 'UNKNOWN');
  });
  checkBodies();
  return server;

  function refuseUnread(socket: Duplex, reason: string): void {
    const { request, response } = latest.get(socket) ?? {};
    // Bytes in the midst of an answer, or before one that is still to come, would be taken for part of it.
    if (reason === 'ECONNRESET' || !socket.writable || isUnderWay(response)) return void socket.destroy();
    const refused = refusalOf(reason, response?.headersSent ? undefined : request);
    onUnreadable(refused);
    socket.write(asBytes(refused));
    closeLingering(socket);
  }

  /** Refuses bodies that are overdue, for as long as the server listens. */
  function checkBodies(): void {
    const check = (): void => {
      const moment = { nowMs: performance.now(), bodyMs };
      for (const [socket, exchange] of latest) {
        if (!isClosing(socket) && isBodyOverdue(exchange, moment)) refuseUnread(socket, LATE);
      }
    };
    const checkMs = options.connectionsCheckingInterval ?? CHECK_MS;
    server.on('listening', () => {
      const checking = setInterval(check, checkMs).unref();
      server.once('close', () => clearInterval(checking));
    });
  }
}

/**
 * Asks a client that waits for it to send its body, but not before somebody reads it: what is refused by its head is
 * refused without the body.
 */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const { _read: read } = request;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read.call(request, size);
  };
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
    case LATE:
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
    ...securityHeaders,
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
