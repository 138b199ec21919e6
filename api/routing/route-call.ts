import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { idempotencyKeyField } from '../../openapi/definitions/fields.ts';
import { STREAMED_BODY_BYTES } from '../../process/body-budget.ts';
import { allowSlowBody } from '../../process/http-server.ts';
import { onceClosed } from '../../process/once-closed.ts';
import { authenticate } from '../access/authenticate.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { readJsonBody } from '../requests/json-body.ts';
import type { ApiContext, ApiState, Principal } from '../requests/state.ts';

/** A call from any transport. Each part is read only when it is checked. */
export interface RouteCall {
  /** Runs again for calls that wait, with dependencies that count nothing. */
  readonly authenticate: (deps: ApiDeps) => Promise<Principal>;
  readonly params: () => Readonly<Record<string, string>>;
  readonly workspaceId: () => string;
  readonly query: () => object;
  readonly idempotencyKey: () => string | null;
  readonly body: () => Promise<unknown>;
  readonly upload: () => UploadRequest;
  readonly requestId: string;
  readonly callerRequestId: string | null;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly setHeader: (name: string, value: string) => void;
  readonly logFields: ApiState['logFields'];
  readonly gone: () => AbortSignal;
}

export interface UploadRequest {
  readonly bytes: Readable;
  readonly contentType: string;
  /** In bytes; null if unknown. */
  readonly length: number | null;
}

const UPLOAD_MS = 300_000;
const IDEMPOTENCY_HEADER = 'Idempotency-Key';

export function httpCall(ctx: ApiContext & { params: Record<string, string> }, deps: ApiDeps): RouteCall {
  return {
    authenticate: (deps) => authenticate(ctx, deps),
    params: () => ctx.params,
    workspaceId: () => ctx.get('x-workspace-id'),
    query: () => ({ ...ctx.query }),
    idempotencyKey: () => readIdempotencyKey(ctx.req),
    body: () => readJsonBody(ctx, deps),
    upload: () => uploadOf(ctx, deps),
    requestId: ctx.state.requestId,
    callerRequestId: ctx.state.callerRequestId,
    clientAddress: ctx.ip,
    userAgent: ctx.get('user-agent'),
    setHeader: (name, value) => ctx.set(name, value),
    logFields: ctx.state.logFields,
    gone: () => goneSignal(ctx),
  };
}

/** Aborts when the client disconnects. */
export function goneSignal({ res }: ApiContext): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else onceClosed(res, () => gone.abort());
  return gone.signal;
}

/** Streamed, so it reserves only its buffers. */
function uploadOf(ctx: ApiContext, { bodies }: ApiDeps): UploadRequest {
  const reservation = bodies.open();
  onceClosed(ctx.res, () => reservation.release());
  if (ctx.state.owner) reservation.charge(ctx.state.owner);
  if (!reservation.grow(STREAMED_BODY_BYTES)) throw reservation.refusal();
  allowSlowBody(ctx.req, UPLOAD_MS);
  const length = /^\d{1,15}$/.test(ctx.get('content-length')) ? Number(ctx.get('content-length')) : null;
  return { bytes: ctx.req, contentType: ctx.get('content-type'), length };
}

function readIdempotencyKey({ headersDistinct }: IncomingMessage): string | null {
  const [key, ...others] = headersDistinct[IDEMPOTENCY_HEADER.toLowerCase()] ?? [];
  if (key === undefined) return null;
  if (others.length > 0) throw new InvalidRequest(`The header ${IDEMPOTENCY_HEADER} is given more than once.`);
  if (idempotencyKeyField.safeParse(key).success) return key;
  throw new InvalidRequest(`The header ${IDEMPOTENCY_HEADER} must be 1 to 255 printable ASCII characters.`);
}
