import { errorBody, Refusal, type PresentedRefusal, type RefusalReason } from '../scripted-api/refusals.ts';

export const messagingRefusals = {
  closedWindow: {
    code: 131047,
    message: '(#131047) Re-engagement message',
    details: 'Message failed to send because more than 24 hours have passed since the customer last replied.',
  },
  outsideWindow: { code: 10, subcode: 2018278, message: '(#10) This message is sent outside of allowed window.' },
  notRegistered: {
    code: 133010,
    message: '(#133010) The account is not registered',
    details: 'The phone number is not registered on the platform. Register it first.',
  },
  notVerified: {
    code: 133006,
    message: '(#133006) Phone number re-verification needed',
    details: 'The phone number needs to be verified before registering.',
  },
  wrongPin: {
    code: 133005,
    message: '(#133005) Two step verification PIN Mismatch',
    details: 'The two-step verification PIN is incorrect.',
  },
  ownNumber: { code: 131021, message: '(#131021) Recipient cannot be sender' },
  alreadyReplied: { code: 10900, message: '(#10900) Activity already replied to' },
  replyTooLate: { code: 10901, message: '(#10901) Activity is too old to be replied to' },
  noTemplate: { code: 132001, message: '(#132001) Template name does not exist in the translation' },
  templateParameters: {
    code: 132000,
    message: '(#132000) Number of parameters does not match the expected number of params',
  },
  pausedTemplate: { code: 132015, message: '(#132015) Template is paused' },
} as const satisfies Record<string, RefusalReason>;

const throttleCodes: ReadonlySet<number> = new Set([4, 17, 32, 341, 613, 80006, 80007, 130429, 131048, 131056, 133016]);

function isThrottle(code: number): boolean {
  return throttleCodes.has(code);
}

export function missingParameter(name: string): Refusal {
  const details = `The required parameter ${name} is missing.`;
  return new Refusal({ code: 131008, message: '(#131008) Required parameter is missing', details });
}

export function invalidValue(details: string): Refusal {
  return new Refusal({ code: 131009, message: '(#131009) Parameter value is not valid', details });
}

export function unknownField(name: string): Refusal {
  return new Refusal({ code: 100, message: `(#100) Tried accessing nonexisting field (${name})` });
}

export function presentMessagingRefusal(reason: RefusalReason, chatappWord: string | undefined): PresentedRefusal {
  const { details, isTransient } = reason;
  const body = errorBody(reason, {
    ...(isTransient !== undefined && { is_transient: isTransient }),
    ...(chatappWord !== undefined &&
      details !== undefined && { error_data: { messaging_product: chatappWord, details } }),
  });
  return { status: reason.status ?? (chatappWord === undefined ? 400 : chatappStatus(reason.code)), body };
}

function chatappStatus(code: number): number {
  if (isThrottle(code)) return 429;
  if (code === 190 || code === 0) return 401;
  if (code === 10 || (code >= 200 && code < 300) || code === 368) return 403;
  if (code === 131000 || code === 1) return 500;
  return code === 2 || code === 131016 || code === 131057 ? 503 : 400;
}
