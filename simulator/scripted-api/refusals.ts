import { randomBytes } from 'node:crypto';
import { RequestRefused } from '../servers/http-server.ts';
import type { JsonObject } from '../webhooks/item.ts';

export interface RefusalReason {
  /** Optional. Default: depends on the code. */
  readonly status?: number | undefined;
  readonly code: number;
  readonly subcode?: number | undefined;
  readonly message: string;
  readonly details?: string | undefined;
  readonly isTransient?: boolean | undefined;
  readonly regainAccessMinutes?: number | undefined;
}

export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason.message);
    this.reason = reason;
  }
}

export const refusals = {
  noToken: { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' },
  deadToken: { code: 190, subcode: 463, message: 'Error validating access token: Session has expired.' },
  wrongProof: { code: 100, message: 'Invalid appsecret_proof provided in the API argument' },
  badBody: { code: 100, message: '(#100) The body of the request cannot be read.' },
  callLimit: { code: 613, message: '(#613) Calls to this api have exceeded the rate limit.' },
  serverError: { status: 500, code: 2, isTransient: true, message: 'An unexpected error has occurred.' },
} as const satisfies Record<string, RefusalReason>;

/** The platform has one code for missing, malformed and misplaced parameters. */
export function invalidParameter(text: string): Refusal {
  return new Refusal({ code: 100, message: `(#100) ${text}` });
}

/** `request` is the platform's name for the kind of request. */
export function missingObject(id: string, request = 'get request'): Refusal {
  const message = `Unsupported ${request}. Object with ID '${id}' does not exist or cannot be loaded.`;
  return new Refusal({ code: 100, subcode: 33, message });
}

export function reasonOf(error: unknown): RefusalReason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof RequestRefused) return { status: error.status, code: 1, message: error.message };
  throw error;
}

export interface PresentedRefusal {
  readonly status: number;
  readonly body: JsonObject;
}

export function presentRefusal(reason: RefusalReason): PresentedRefusal {
  const { status = 400, subcode, message, isTransient = false } = reason;
  const texts = subcode !== undefined && { error_user_title: 'Error', error_user_msg: message };
  return { status, body: errorBody(reason, { ...texts, is_transient: isTransient }) };
}

export function errorBody({ code, subcode, message }: RefusalReason, more: JsonObject): JsonObject {
  return {
    error: {
      message,
      type: 'OAuthException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      ...more,
      fbtrace_id: `A${randomBytes(11).toString('base64url')}`,
    },
  };
}
