/** Subcodes of code 10 that mean that the messaging window has closed, not that a permission is missing. */
const OUTSIDE_WINDOW = new Set([2018278, 2534022]);

interface RefusalCodes {
  readonly code: number | null;
  readonly subcode: number | null;
}

/** Returns true if the account lacks a permission for the call. */
export function isMissingPermission({ code, subcode }: RefusalCodes): boolean {
  if (code === null) return false;
  if (code === 10) return subcode === null || !OUTSIDE_WINDOW.has(subcode);
  return code === 3 || (code >= 200 && code <= 299);
}

/** Returns true if the object does not exist or is not visible to the account. */
export function isMissingObject({ code, subcode }: RefusalCodes): boolean {
  return (code === 24 && subcode === 2207006) || (code === 100 && subcode === 33);
}
