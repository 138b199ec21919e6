/**
 * What a refused write means. A write is never repeated by itself, so the first question is whether the platform
 * certainly did nothing; only then, why. Decided by code and subcode alone: texts are translated and change.
 */
export type WriteRefusal = 'not_ready' | 'quota' | 'temporary' | 'credential' | 'refused';

export interface RefusedWrite {
  readonly status: number;
  readonly code: number | null;
  readonly subcode: number | null;
  readonly isTransient: boolean;
}

/** Subcodes are the more exact half of a pair, and each has one meaning. */
const bySubcode = new Map<number, WriteRefusal | 'lost'>([
  [2207027, 'not_ready'],
  [2207042, 'quota'],
  [2207008, 'temporary'],
  // A fault of the platform's own: how far it came is not known.
  [2207001, 'lost'],
]);

/** Pairs that say what is wrong, so that nothing was made, though their codes by themselves would leave it open. */
const refusedSubcodes = new Set([
  // Download or upload failed, unsupported or expired media, frame out of range, action blocked as spam.
  ...[2207003, 2207020, 2207032, 2207053, 2207057, 2207051],
  ...[2207004, 2207005, 2207009, 2207026, 2207052, 2207077, 2207081, 2207082],
  // Not found, restricted account, and faults of the parameters.
  ...[2207006, 2207050, 2207010, 2207023, 2207028, 2207035, 2207036, 2207037, 2207040],
]);

const byCode = new Map<number, WriteRefusal | 'lost'>([
  [9007, 'not_ready'],
  // Limits of the app, the user, the Page, the kind of call and of a business's use cases: counted before anything is done.
  ...[4, 17, 32, 341, 613, 80001, 80002, 80006, 80007].map((code) => [code, 'temporary'] as const),
  [102, 'credential'],
  [190, 'credential'],
  // Unknown fault, and service away.
  ...[-1, 1, 2].map((code) => [code, 'lost'] as const),
  // "Already posted": perhaps by this very call.
  [506, 'lost'],
]);

/** `lost` where the platform may have done what it was asked, in spite of its answer. */
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
