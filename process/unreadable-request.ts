import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { type ErrorCode, statusByErrorCode } from '../contract/errors.ts';
import { errorBody, UNAVAILABLE_RETRY_SECONDS } from './http-errors.ts';
import { answeredRequestId, type RequestIds, requestIdsOf } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

/** `reason` is Node's error code, or one of `reasons`. */
export interface UnreadableRequest extends RequestIds {
  readonly code: ErrorCode;
  readonly reason: string;
}

export const reasons = {
  /** Node's code for late headers, also used for late bodies. */
  late: 'ERR_HTTP_REQUEST_TIMEOUT',
  noHost: 'NO_HOST',
  stopping: 'SERVER_STOPPING',
  stopped: 'SERVER_STOPPED',
} as const;

interface Rejection {
  readonly code: ErrorCode;
  readonly message: string;
}

const malformed: Rejection = { code: 'VALIDATION_ERROR', message: 'This is not a well-formed HTTP request.' };

const rejections: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', message: 'The headers of the request are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The chunk extensions of the request are too large.',
  },
  [reasons.late]: { code: 'REQUEST_TIMEOUT', message: 'The request took too long to arrive.' },
  [reasons.noHost]: { code: 'VALIDATION_ERROR', message: 'The request has no Host header.' },
  [reasons.stopping]: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server is stopping. Nothing was done. Try again shortly.',
  },
  [reasons.stopped]: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server stopped before the request was complete. A change may have been made.',
  },
};

export function rejectionOf(reason: string, request: IncomingMessage | undefined): UnreadableRequest {
  const { code } = rejections[reason] ?? malformed;
  return { ...requestIdsOf(request?.headers['x-request-id']), code, reason };
}

export function responseTo(rejected: UnreadableRequest) {
  const { code, reason } = rejected;
  const { message } = rejections[reason] ?? malformed;
  const body = JSON.stringify(errorBody({ code, message }, answeredRequestId(rejected)));
  const head = {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': answeredRequestId(rejected),
    ...(code === 'SERVICE_UNAVAILABLE' && { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) }),
    connection: 'close',
  };
  return { head, body };
}

export function responseText(rejected: UnreadableRequest): string {
  const { head, body } = responseTo(rejected);
  const status = statusByErrorCode[rejected.code];
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
