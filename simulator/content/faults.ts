import { setTimeout as sleep } from 'node:timers/promises';
import type { ContentFault } from './control.ts';
import type { ContentProduct } from './objects/store.ts';
import { errorBody, refusals, type RefusalReason } from '../scripted-api/refusals.ts';

/** How a call ends at the platform; whether the caller hears of it is another question. */
export interface ContentAnswer {
  readonly status: number;
  /** Text is sent as it is, which is no JSON. */
  readonly body: unknown;
  /** The object that the call made. */
  readonly madeId: string | null;
  /** Minutes until the caller may come again; null where it is not throttled. */
  readonly throttledMinutes: number | null;
}

export interface SettledAnswer extends ContentAnswer {
  /** The connection is dropped instead of the answer. */
  readonly isLost: boolean;
}

const DEFAULT_REGAIN_MINUTES = 5;

/** Lets a call take effect as its fault has it: before, after or not at all. */
export async function settleContent(
  { fault, product }: { fault: ContentFault | undefined; product: ContentProduct },
  perform: () => ContentAnswer,
): Promise<SettledAnswer> {
  if (!fault) return { ...perform(), isLost: false };
  const done = fault.afterEffect || fault.lost === 'after' || fault.wrongBody ? perform() : undefined;
  // Unreferenced: a delay alone does not keep the process up.
  if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
  const madeId = done?.madeId ?? null;
  if (fault.lost !== undefined) return { status: 0, body: null, madeId, throttledMinutes: null, isLost: true };
  const reason = failing(fault, product);
  if (reason) {
    const isThrottled = fault.refusal === 'throttled';
    const throttledMinutes = isThrottled ? (fault.regainAccessMinutes ?? DEFAULT_REGAIN_MINUTES) : null;
    return { status: reason.status ?? 400, body: errorBody(reason), madeId, throttledMinutes, isLost: false };
  }
  const answer = done ?? perform();
  const body = answer.status === 200 ? blank(fault, answer.body) : answer.body;
  return { ...answer, body, isLost: false };
}

function failing(fault: ContentFault, product: ContentProduct): RefusalReason | undefined {
  if (fault.httpStatus !== undefined) return { ...refusals.serverError, status: fault.httpStatus };
  const named = fault.refusal && namedRefusal(fault.refusal, product);
  const code = fault.code ?? named?.code;
  if (code === undefined) return undefined;
  return {
    status: fault.status ?? named?.status,
    code,
    subcode: fault.subcode ?? named?.subcode,
    message: fault.message ?? named?.message ?? `Scripted refusal ${code}`,
    isTransient: [1, 2, 4, 17, 32, 341, 613].includes(code),
  };
}

function namedRefusal(name: NonNullable<ContentFault['refusal']>, product: ContentProduct): RefusalReason {
  switch (name) {
    case 'deadToken':
      return refusals.deadToken;
    case 'missingPermission':
      return product === 'pageapp'
        ? { status: 403, code: 200, message: '(#200) The permission for this Page is not granted.' }
        : { status: 403, code: 10, message: '(#10) Application does not have permission for this action' };
    case 'throttled':
      return product === 'pageapp'
        ? { status: 403, code: 32, message: '(#32) Page request limit reached' }
        : { status: 403, code: 80002, message: '(#80002) There have been too many calls to this account.' };
  }
}

function blank({ wrongBody }: ContentFault, body: unknown): unknown {
  switch (wrongBody) {
    case 'empty':
      return {};
    case 'html':
      return '<html><body>Sorry, something went wrong.</body></html>';
    case undefined:
      return body;
  }
}
