import type { ScheduledMessageReason } from '../../contract/operations/scheduled-message.ts';
import { PlatformOutcomeLost, PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import { classifyWriteRefusal } from '../../platform/client/write-refusals.ts';
import { deadCredentialReason, isDeadCredential } from '../../platform/oauth/credentials.ts';
import { MessageNotAllowed } from '../../platform/operations/native-message.ts';
import { NotOwned } from '../../platform/operations/require-own.ts';

/** `scheduled` only if the platform is known to have taken nothing. */
export type SendVerdict =
  | { readonly to: 'scheduled'; readonly detail: string; readonly retryAfterMs: number }
  | {
      readonly to: 'failed' | 'unknown';
      readonly reason: ScheduledMessageReason;
      readonly detail: string;
      /** Optional. Why the channel must be disconnected. */
      readonly deadCredential?: string;
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

function judgeRefusal(error: PlatformRejected): SendVerdict {
  if (isDeadCredential(error)) {
    const detail = deadCredentialReason(error);
    return { to: 'failed', reason: 'channel_disconnected', detail, deadCredential: detail };
  }
  if (classifyWriteRefusal(error) === 'temporary') {
    const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1_000;
    return { to: 'scheduled', detail: `Not sent yet: ${error.message}.`, retryAfterMs };
  }
  return { to: 'failed', reason: 'refused', detail: `Not sent: ${error.message}.` };
}

function unknown(): SendVerdict {
  const detail = "The platform's answer was lost: it may or may not have been sent. Look at the conversation first.";
  return { to: 'unknown', reason: 'outcome_unknown', detail };
}
