import { scriptedRefusal } from '../scripted-api/fault.ts';
import { refusals, type RefusalReason } from '../scripted-api/refusals.ts';
import type { ContentFault } from './control.ts';
import type { ContentProduct } from './objects/store.ts';

const DEFAULT_REGAIN_MINUTES = 5;
const transientCodes: ReadonlySet<number> = new Set([1, 2, 4, 17, 32, 341, 613]);

export function contentRefusal(fault: ContentFault, product: ContentProduct): RefusalReason | undefined {
  const reason = scriptedRefusal(fault, fault.refusal && namedRefusal(fault.refusal, product));
  if (!reason) return undefined;
  const isThrottled = fault.refusal === 'throttled';
  return {
    ...reason,
    isTransient: transientCodes.has(reason.code),
    ...(isThrottled && { regainAccessMinutes: fault.regainAccessMinutes ?? DEFAULT_REGAIN_MINUTES }),
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
