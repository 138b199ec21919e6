import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagingFault } from './control.ts';
import { reasons, type MessagingReason } from './refusals.ts';
import type { MessagingAnswer } from './state.ts';

/** How a call ends: answered, refused, or with the connection dropped. */
export type MessagingEnding =
  | { readonly kind: 'answered'; readonly answer: MessagingAnswer }
  | { readonly kind: 'refused'; readonly reason: MessagingReason }
  | { readonly kind: 'lost' };

/** Lets a call take effect as its fault has it: before, after or not at all. */
export async function settle(
  fault: MessagingFault | undefined,
  perform: () => MessagingEnding,
): Promise<MessagingEnding> {
  if (!fault) return perform();
  const done = fault.afterEffect || fault.lost === 'after' || fault.wrongBody ? perform() : undefined;
  // Unreferenced: a delay alone does not keep the process up.
  if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
  if (fault.lost !== undefined) return { kind: 'lost' };
  const reason = scriptedReason(fault);
  if (reason) return { kind: 'refused', reason };
  const ending = done ?? perform();
  if (!fault.wrongBody || ending.kind !== 'answered') return ending;
  return { kind: 'answered', answer: { status: 200, body: { success: true } } };
}

function scriptedReason(fault: MessagingFault): MessagingReason | undefined {
  const { code, httpStatus, status, subcode, message, details, isTransient } = fault;
  if (httpStatus !== undefined) return { ...reasons.serverError, status: httpStatus };
  if (code === undefined) return undefined;
  return {
    code,
    status,
    subcode,
    message: message ?? `(#${code}) Scripted refusal`,
    details: details ?? 'Scripted refusal',
    isTransient: isTransient ?? (code === 1 || code === 2),
  };
}
