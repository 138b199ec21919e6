/**
 * Classifies a refused write: whether the platform is known to have done nothing, and why. Ignores messages, because
 * they are localized and can change.
 */
export type WriteRefusal = 'not_ready' | 'quota' | 'temporary' | 'credential' | 'refused';

export interface RefusedWrite {
  readonly status: number;
  readonly code: number | null;
  readonly subcode: number | null;
  readonly isTransient: boolean;
}

/** Subcodes take precedence, because each has one meaning. */
const bySubcode = new Map<number, WriteRefusal | 'lost'>([
  [2207027, 'not_ready'],
  [2207042, 'quota'],
  [2207008, 'temporary'],
  // Internal platform error with unknown progress.
  [2207001, 'lost'],
]);

/** These prove that nothing was created, although their codes alone do not. */
const refusedSubcodes = new Set([
  ...[2207003, 2207020, 2207032, 2207053, 2207057, 2207051],
  ...[2207004, 2207005, 2207009, 2207026, 2207052, 2207077, 2207081, 2207082],
  ...[2207006, 2207050, 2207010, 2207023, 2207028, 2207035, 2207036, 2207037, 2207040],
]);

const byCode = new Map<number, WriteRefusal | 'lost'>([
  [9007, 'not_ready'],
  // Limits of the app, user, Page, call type or business use case, checked before anything is done.
  ...[4, 17, 32, 341, 613, 80001, 80002, 80006, 80007].map((code) => [code, 'temporary'] as const),
  [102, 'credential'],
  [190, 'credential'],
  ...[-1, 1, 2].map((code) => [code, 'lost'] as const),
  // "Already posted", possibly by this call.
  [506, 'lost'],
]);

/** Returns `lost` if the platform may have performed the write despite its response. */
export function classifyWriteRefusal({ status, code, subcode, isTransient }: RefusedWrite): WriteRefusal | 'lost' {
  if (status >= 500 || status === 408) return 'lost';
  const exact = subcode === null ? undefined : bySubcode.get(subcode);
  if (exact !== undefined) return exact;
  if (subcode !== null && refusedSubcodes.has(subcode)) return 'refused';
  const known = code === null ? undefined : byCode.get(code);
  if (known !== undefined) return known;
  if (isTransient) return 'lost';
  return status === 429 ? 'temporary' : 'refused';
}
