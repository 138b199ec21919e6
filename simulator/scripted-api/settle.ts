import type { DelayedAnswers } from '../servers/delayed-answers.ts';
import type { ScriptedFault } from './fault.ts';
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

export interface Settling<F extends ScriptedFault> {
  readonly fault: F | undefined;
  readonly perform: () => Effect;
  readonly refusalOf: (fault: F) => RefusalReason | undefined;
  readonly delays: DelayedAnswers;
}

/** Performs a call before its delay, after it, or not at all. */
export async function settle<F extends ScriptedFault>(settling: Settling<F>): Promise<Ending> {
  const { fault, perform, delays } = settling;
  if (!fault) return attempt(perform);
  const isEarly = fault.afterEffect || fault.lost === 'after' || fault.wrongBody !== undefined;
  const early = isEarly ? attempt(perform) : undefined;
  await delays.wait(fault.delayMs);
  const madeId = early?.madeId ?? null;
  if (fault.lost !== undefined) return { kind: 'lost', madeId };
  const reason = reasonOfFault(fault, settling);
  if (reason) return { kind: 'refused', reason, madeId };
  return withWrongBody(early ?? attempt(perform), fault);
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

function reasonOfFault<F extends ScriptedFault>(fault: F, { refusalOf }: Settling<F>): RefusalReason | undefined {
  if (fault.httpStatus !== undefined) return { ...refusals.serverError, status: fault.httpStatus };
  return refusalOf(fault);
}

function withWrongBody(ending: Ending, { wrongBody }: ScriptedFault): Ending {
  if (ending.kind !== 'answered' || ending.effect.status !== undefined || wrongBody === undefined) return ending;
  return { ...ending, effect: wrongEffect(wrongBody) };
}

function wrongEffect(wrongBody: NonNullable<ScriptedFault['wrongBody']>): Effect {
  switch (wrongBody) {
    case true:
      return { body: { success: true } };
    case 'empty':
      return { body: {} };
    case 'html': {
      const content = Buffer.from('<html><body>Sorry, something went wrong.</body></html>');
      return { body: null, file: { mimeType: 'text/html; charset=utf-8', content } };
    }
  }
}
