import type { PlatformRefusalCode } from '../../contract/errors.ts';
import { MAX_DELAY_MS, type ScheduledReason } from '../../contract/scheduled/scheduled.ts';
import { PlatformOutcomeLost, PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import { refusalOf } from '../../platform/client/refusals.ts';
import { deadCredentialReason } from '../../platform/oauth/credentials.ts';
import { MessageNotAllowed } from '../../platform/operations/native-message.ts';
import { NotOwned } from '../../platform/operations/require-own.ts';

/** `scheduled` only if the platform is known to have taken nothing. */
export type SendVerdict =
  | {
      readonly to: 'scheduled';
      readonly detail: string;
      readonly retryAfterMs: number;
      /** Optional. Why the platform refuses the credential. The account may be connected again in time. */
      readonly deadCredential?: string;
    }
  | {
      readonly to: 'failed' | 'unknown';
      readonly reason: ScheduledReason;
      readonly detail: string;
      /** Optional. What a send that is not scheduled would have been answered with. */
      readonly refusalCode?: PlatformRefusalCode;
    };

/** The details have the platform's codes and never its texts, which may quote the recipient. */
export function judgeFailedSend(error: unknown, { hasWritten }: { readonly hasWritten: boolean }): SendVerdict {
  if (error instanceof PlatformOutcomeLost) return unknown();
  if (error instanceof PlatformRejected) return judgeRefusal(error);
  if (error instanceof PlatformUnavailable && (error.notSent || !hasWritten)) {
    return { to: 'scheduled', detail: `Not sent yet: ${error.message}.`, retryAfterMs: 0 };
  }
  if (error instanceof NotOwned || error instanceof MessageNotAllowed) {
    return { to: 'failed', reason: 'not_allowed', detail: `Not sent: ${error.message}.` };
  }
  if (hasWritten) return unknown();
  const name = error instanceof Error ? error.name : 'unknown';
  return { to: 'scheduled', detail: `Not sent yet: a fault of the service (${name}).`, retryAfterMs: 0 };
}

/** A refused write that may have been done is a PlatformOutcomeLost. */
function judgeRefusal(error: PlatformRejected): SendVerdict {
  const { kind, code: refusalCode, retryAfterSeconds, says } = refusalOf('read', error);
  if (kind === 'credential') {
    const deadCredential = deadCredentialReason(error);
    return { to: 'scheduled', detail: `Not sent yet: ${deadCredential}`, retryAfterMs: 0, deadCredential };
  }
  const retryAfterMs = (retryAfterSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
  if (retryAfterMs < MAX_DELAY_MS) {
    return { to: 'scheduled', detail: `Not sent yet: ${error.message}.`, retryAfterMs };
  }
  const detail = `Not sent: ${says === '' ? '' : `${says} `}${error.message}.`;
  return { to: 'failed', reason: 'refused', detail, refusalCode };
}

function unknown(): SendVerdict {
  const detail = "The platform's answer was lost: it may or may not have been sent. Look at the conversation first.";
  return { to: 'unknown', reason: 'outcome_unknown', detail };
}
