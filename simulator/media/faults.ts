import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaFault } from './control.ts';
import { errorBody, refusals } from '../scripted-api/refusals.ts';

/** How a call ends at the platform; whether the caller hears of it is another question. */
export interface MediaAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The container or post that the call made. */
  readonly madeId: string | null;
}

export interface SettledCall extends MediaAnswer {
  /** The connection is dropped instead of the answer. */
  readonly isLost: boolean;
}

/** Lets a call take effect as its fault has it: before, after or not at all. */
export async function settle(fault: MediaFault | undefined, perform: () => MediaAnswer): Promise<SettledCall> {
  if (!fault) return { ...perform(), isLost: false };
  const done = fault.afterEffect || fault.lost === 'after' || fault.wrongBody ? perform() : undefined;
  // Unreferenced: a delay alone does not keep the process up.
  if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
  const madeId = done?.madeId ?? null;
  if (fault.lost !== undefined) return { status: 0, body: null, madeId, isLost: true };
  const failure = failing(fault);
  if (failure) return { ...failure, madeId, isLost: false };
  const answer = done ?? perform();
  const isBlank = fault.wrongBody && answer.status === 200;
  return { ...answer, ...(isBlank && { body: { success: true } }), isLost: false };
}

function failing({ code, status, subcode, message, httpStatus }: MediaFault) {
  if (httpStatus !== undefined) return { status: httpStatus, body: errorBody(refusals.serverError) };
  if (code === undefined) return undefined;
  return {
    status: status ?? 400,
    body: errorBody({
      code,
      subcode,
      message: message ?? `Scripted refusal ${code}`,
      isTransient: code === 1 || code === 2,
    }),
  };
}
