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
import { type ErrorCode, statusByErrorCode } from '../contract/errors.ts';
import { errorBody } from './http-errors.ts';
import { ClosingResponse, closeLingering, isClosing, isIncomplete } from './lingering-close.ts';
import { requestIdOf } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

/** `reason` is Node's error code, or NO_HOST. */
export interface UnreadableRequest {
  readonly requestId: string;
  readonly code: ErrorCode;
  readonly reason: string;
}

export interface HttpServer extends Omit<ServerOptions, 'requireHostHeader' | 'requestTimeout' | 'ServerResponse'> {
  readonly listener: RequestListener;
  readonly onUnreadable: (rejected: UnreadableRequest) => void;
  /** Optional. Default: 30 s. */
  readonly bodyMs?: number;
}

const HEADERS_MS = 10_000;
const CHECK_MS = 1_000;
/** Node's code for late headers, also used for late bodies. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Rejects malformed, oversized and slow requests with the Error object and a request id; Node would send only a
 * status. A response that begins before its request is complete closes the connection.
 */
export function createHttpServer({ listener, onUnreadable, bodyMs = BODY_MS, ...options }: HttpServer): Server {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: CHECK_MS,
    ...options,
    // Disabled, because files need a longer timeout than other requests.
    requestTimeout: 0,
    requireHostHeader: false,
    ServerResponse: ClosingResponse,
  });
  const latest = new Map<Duplex, Exchange>();
  server.on('connection', (socket) => {
    const { destroySoon } = socket;
    // Called after the last response of a connection.
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
    const rejected = rejectionOf('NO_HOST', request);
    onUnreadable(rejected);
    const { head, body } = responseTo(rejected);
    response.writeHead(statusByErrorCode[rejected.code], head).end(body);
  });
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    server.emit('request', request, response);
  });
  // Node would reject other expectations with a bare 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!isClosing(socket)) rejectUnread(socket, error.code ?? 'UNKNOWN');
  });
  checkBodies();
  return server;

  function rejectUnread(socket: Duplex, reason: string): void {
    const { request, response } = latest.get(socket) ?? {};
    // The client would take these bytes for a part of another response.
    if (reason === 'ECONNRESET' || !socket.writable || isUnderWay(response)) return void socket.destroy();
    const rejected = rejectionOf(reason, response?.headersSent ? undefined : request);
    onUnreadable(rejected);
    socket.write(responseText(rejected));
    closeLingering(socket);
  }

  function checkBodies(): void {
    const check = (): void => {
      const moment = { nowMs: performance.now(), bodyMs };
      for (const [socket, exchange] of latest) {
        if (!isClosing(socket) && isBodyOverdue(exchange, moment)) rejectUnread(socket, LATE);
      }
    };
    const checkMs = options.connectionsCheckingInterval ?? CHECK_MS;
    server.on('listening', () => {
      const checking = setInterval(check, checkMs).unref();
      server.once('close', () => clearInterval(checking));
    });
  }
}

/** Sends 100 Continue when the body is first read, so that requests rejected by their headers send no body. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const { _read: read } = request;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read.call(request, size);
  };
}

function isUnderWay(response: ServerResponse | undefined): boolean {
  if (response === undefined || response.writableFinished) return false;
  const waitsForAnother = response.socket === null;
  return waitsForAnother || (response.headersSent && !response.writableEnded);
}

/** HTTP/1.0 requests need no Host header. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

function rejectionOf(reason: string, request: IncomingMessage | undefined): UnreadableRequest {
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
  PAYLOAD_TOO_LARGE: 'The chunk extensions of the request are too large.',
  REQUEST_TIMEOUT: 'The request took too long to arrive.',
};

function responseTo({ code, requestId, reason }: UnreadableRequest) {
  const otherwise =
    reason === 'NO_HOST' ? 'The request has no Host header.' : 'This is not a well-formed HTTP request.';
  const message = messages[code] ?? otherwise;
  const body = JSON.stringify(errorBody({ code, message }, requestId));
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

function responseText(rejected: UnreadableRequest): string {
  const { head, body } = responseTo(rejected);
  const status = statusByErrorCode[rejected.code];
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
