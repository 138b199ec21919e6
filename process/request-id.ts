import { randomFillSync } from 'node:crypto';

const CALLERS_OWN = /^[A-Za-z0-9._-]{1,128}$/;
const RANDOM_BYTES = 12;
/** Filled for many ids, because a call costs the same for any size. */
const random = Buffer.alloc(RANDOM_BYTES * 512);
let next = random.length;

export interface RequestIds {
  /** Of this service, so that no caller chooses what logs and audit entries refer to. */
  readonly requestId: string;
  /** The caller's `x-request-id`; null if none was sent or it has another form. */
  readonly callerRequestId: string | null;
}

export function requestIdsOf(own: string | readonly string[] | undefined): RequestIds {
  return { requestId: freshRequestId(), callerRequestId: callerRequestIdOf(own) };
}

/** What a response calls its request: the caller's own id, by which it finds the response. */
export function answeredRequestId({ requestId, callerRequestId }: RequestIds): string {
  return callerRequestId ?? requestId;
}

function callerRequestIdOf(own: string | readonly string[] | undefined): string | null {
  return typeof own === 'string' && CALLERS_OWN.test(own) ? own : null;
}

function freshRequestId(): string {
  if (next === random.length) {
    randomFillSync(random);
    next = 0;
  }
  const id = random.toString('base64url', next, next + RANDOM_BYTES);
  next += RANDOM_BYTES;
  return `req_${id}`;
}
