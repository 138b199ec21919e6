import { type ErrorBody, type ErrorCode, statusByErrorCode } from '../../contract/errors.ts';
import { probeExpectations } from '../../contract/webhooks/probe.ts';
import { errorMeanings } from '../error-meanings.ts';

export const exampleRequestId = 'req_mU3vX8qLzT1aYbKd';

/** Messages that say more than the meaning of their code. */
const messages: Readonly<Partial<Record<ErrorCode, string>>> = {
  VALIDATION_ERROR: 'Invalid request. body.name: must have at least 1 character',
  PAYLOAD_TOO_LARGE: 'The body has more than 1048576 bytes.',
  AGENT_SCOPE_INSUFFICIENT: 'This credential lacks the scope webhook.manage.',
  WEBHOOK_URL_VERIFICATION_FAILED: `The GET probe expected ${probeExpectations.GET}, but the receiver answered status 404.`,
  URL_NOT_ALLOWED: 'The URL leads to a private address.',
  OTP_INVALID: 'The code is wrong. Tries left: 4.',
  RATE_LIMITED: 'Too many requests. Try again in 12 seconds.',
  PLATFORM_REJECTED: 'The platform refused the request: code 131026, message undeliverable.',
  LIMIT_REACHED: 'A channel has at most 20 subscriptions. Delete some first.',
};

export function errorExample(code: ErrorCode): ErrorBody {
  return { statusCode: statusByErrorCode[code], code, message: messageOf(code), requestId: exampleRequestId };
}

function messageOf(code: ErrorCode): string {
  const noun = /^(.+)_NOT_FOUND$/.exec(code)?.[1]?.replaceAll('_', ' ').toLowerCase();
  return messages[code] ?? (noun === undefined ? errorMeanings[code] : `The ${noun} does not exist.`);
}
