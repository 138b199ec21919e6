import { randomBytes } from 'node:crypto';
import { RequestRefused } from '../servers/http-server.ts';

/** What the platform says when it will not do what it is asked. */
export interface MessagingReason {
  /** The usual one of the code when left out. */
  readonly status?: number | undefined;
  readonly code: number;
  readonly subcode?: number | undefined;
  readonly message: string;
  /** Chatapp tells in it which parameter it means. */
  readonly details?: string | undefined;
  readonly isTransient?: boolean | undefined;
}

/** A refusal in the platform's own words; the messaging API answers it in the platform's error body. */
export class MessagingRefusal extends Error {
  readonly reason: MessagingReason;

  constructor(reason: MessagingReason) {
    super(reason.message);
    this.reason = reason;
  }
}

export const reasons = {
  noToken: { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' },
  deadToken: { code: 190, subcode: 463, message: 'Error validating access token: Session has expired.' },
  wrongProof: { code: 100, message: 'Invalid appsecret_proof provided in the API argument' },
  badBody: { code: 100, message: '(#100) The body of the request cannot be read.' },
  serverError: { status: 500, code: 2, isTransient: true, message: 'An unexpected error has occurred.' },
  throughput: {
    code: 130429,
    message: '(#130429) Rate limit hit',
    details:
      'Message failed to send because there were too many messages sent from this number in a short period of time',
  },
  pairLimit: {
    code: 131056,
    message: '(#131056) (Business Account, Consumer Account) pair rate limit hit',
    details: 'Message failed to send because there were too many messages sent from this number to the same number',
  },
  callLimit: { status: 400, code: 613, message: '(#613) Calls to this api have exceeded the rate limit.' },
  closedWindow: {
    code: 131047,
    message: '(#131047) Re-engagement message',
    details: 'Message failed to send because more than 24 hours have passed since the customer last replied.',
  },
  outsideWindow: { code: 10, subcode: 2018278, message: '(#10) This message is sent outside of allowed window.' },
  ownNumber: { code: 131021, message: '(#131021) Recipient cannot be sender' },
  alreadyReplied: { code: 10900, message: '(#10900) Activity already replied to' },
  replyTooLate: { code: 10901, message: '(#10901) Activity is too old to be replied to' },
  noTemplate: { code: 132001, message: '(#132001) Template name does not exist in the translation' },
  templateParameters: {
    code: 132000,
    message: '(#132000) Number of parameters does not match the expected number of params',
  },
  pausedTemplate: { code: 132015, message: '(#132015) Template is paused' },
} as const satisfies Record<string, MessagingReason>;

/** What a limit answers with, whichever limit it is. */
const throttleCodes: ReadonlySet<number> = new Set([4, 17, 32, 341, 613, 80006, 80007, 130429, 131048, 131056, 133016]);

export function isThrottle(reason: MessagingReason | undefined): boolean {
  return reason !== undefined && throttleCodes.has(reason.code);
}

/** A parameter that is malformed, out of place or unknown. */
export function invalidParameter(text: string): MessagingRefusal {
  return new MessagingRefusal({ code: 100, message: `(#100) ${text}` });
}

/** A chatapp parameter without which the message makes no sense. */
export function missingParameter(name: string): MessagingRefusal {
  const details = `The required parameter ${name} is missing.`;
  return new MessagingRefusal({ code: 131008, message: '(#131008) Required parameter is missing', details });
}

/** A chatapp parameter of the right form that means nothing. */
export function invalidValue(details: string): MessagingRefusal {
  return new MessagingRefusal({ code: 131009, message: '(#131009) Parameter value is not valid', details });
}

export function missingObject(id: string): MessagingRefusal {
  const message = `Unsupported request. Object with ID '${id}' does not exist or cannot be loaded.`;
  return new MessagingRefusal({ code: 100, subcode: 33, message });
}

export function unknownField(name: string): MessagingRefusal {
  return new MessagingRefusal({ code: 100, message: `(#100) Tried accessing nonexisting field (${name})` });
}

/** The reason of what was thrown; what is no refusal is thrown again. */
export function reasonOf(error: unknown): MessagingReason {
  if (error instanceof MessagingRefusal) return error.reason;
  if (error instanceof RequestRefused) return { status: error.status, code: 1, message: error.message };
  throw error;
}

/** The platform's error body; a chatapp one, which names its product, says the details as well. */
export function errorBody({ code, subcode, message, details, isTransient }: MessagingReason, chatappWord?: string) {
  return {
    error: {
      message,
      type: 'OAuthException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      ...(isTransient !== undefined && { is_transient: isTransient }),
      ...(chatappWord !== undefined &&
        details !== undefined && { error_data: { messaging_product: chatappWord, details } }),
      fbtrace_id: `A${randomBytes(11).toString('base64url')}`,
    },
  };
}

/** The status that goes with a code: chatapp has one for each kind of code, the others answer nearly always 400. */
export function statusFor({ status, code }: MessagingReason, isChatapp: boolean): number {
  if (status !== undefined) return status;
  if (!isChatapp) return 400;
  if (isThrottle({ code, message: '' })) return 429;
  if (code === 190 || code === 0) return 401;
  if (code === 10 || (code >= 200 && code < 300) || code === 368) return 403;
  if (code === 131000 || code === 1) return 500;
  return code === 2 || code === 131016 || code === 131057 ? 503 : 400;
}
