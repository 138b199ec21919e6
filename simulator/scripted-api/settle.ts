import type { DelayedAnswers } from '../servers/delayed-answers.ts';
import { type ScriptedFault, scriptedRefusal } from './fault.ts';
import { reasonOf, refusals, type RefusalReason } from './refusals.ts';

export interface Effect {
  readonly status?: number;
  readonly body: unknown;
  readonly madeId?: string;
  readonly file?: { readonly mimeType: string; readonly content: Buffer };
}

/** Refused and lost calls may have created an object, too. */
export type Ending =
  | { readonly kind: 'answered'; readonly effect: Effect; readonly madeId: string | null }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly madeId: string | null }
  | { readonly kind: 'lost'; readonly madeId: string | null };

export interface Settling {
  readonly fault: ScriptedFault | undefined;
  readonly perform: () => Effect;
  readonly delays: DelayedAnswers;
}

/** Performs a call before its delay, after it, or not at all. */
export async function settle({ fault, perform, delays }: Settling): Promise<Ending> {
  if (!fault) return attempt(perform);
  const isEarly = fault.afterEffect || fault.lost === 'after' || fault.wrongBody;
  const early = isEarly ? attempt(perform) : undefined;
  await delays.wait(fault.delayMs);
  const madeId = early?.madeId ?? null;
  if (fault.lost !== undefined) return { kind: 'lost', madeId };
  const { httpStatus } = fault;
  const reason = httpStatus ? { ...refusals.serverError, status: httpStatus } : scriptedRefusal(fault);
  if (reason) return { kind: 'refused', reason, madeId };
  const ending = early ?? attempt(perform);
  if (ending.kind !== 'answered' || !fault.wrongBody) return ending;
  return { ...ending, effect: { body: { success: true } } };
}

export function refusedBy(error: unknown): Ending {
  return { kind: 'refused', reason: reasonOf(error), madeId: null };
}

function attempt(perform: () => Effect): Ending {
  try {
    const effect = perform();
    return { kind: 'answered', effect, madeId: effect.madeId ?? null };
  } catch (error) {
    return refusedBy(error);
  }
}
