/** With code 10, these mean a closed messaging window, not a missing permission. */
const OUTSIDE_WINDOW = new Set([2018278, 2534022]);

interface RefusalCodes {
  readonly code: number | null;
  readonly subcode: number | null;
}

export function isMissingPermission({ code, subcode }: RefusalCodes): boolean {
  if (code === null) return false;
  if (code === 10) return subcode === null || !OUTSIDE_WINDOW.has(subcode);
  return code === 3 || (code >= 200 && code <= 299);
}

/** Also true if the account cannot see the object. */
export function isMissingObject({ code, subcode }: RefusalCodes): boolean {
  return (code === 24 && subcode === 2207006) || (code === 100 && subcode === 33);
}
