/** The code for a missing permission that also says, by these subcodes, that it is too late to write to a person. */
const OUTSIDE_WINDOW = new Set([2018278, 2534022]);

interface RefusalCodes {
  readonly code: number | null;
  readonly subcode: number | null;
}

/** Whether the platform refused a call for want of a permission that the account was connected without. */
export function isMissingPermission({ code, subcode }: RefusalCodes): boolean {
  if (code === null) return false;
  if (code === 10) return subcode === null || !OUTSIDE_WINDOW.has(subcode);
  return code === 3 || (code >= 200 && code <= 299);
}

/** Whether the platform refused a call because the object is not there, or not there for us. */
export function isMissingObject({ code, subcode }: RefusalCodes): boolean {
  return (code === 24 && subcode === 2207006) || (code === 100 && subcode === 33);
}
