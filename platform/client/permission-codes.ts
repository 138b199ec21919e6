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

/**
 * Invalid or missing parameters, unsupported types of messages and files, and objects that the account cannot see. A
 * corrected request can succeed.
 */
const INVALID_INPUT = new Set([100, 131008, 131009, 131051, 131053]);

export function isInvalidInput(refusal: RefusalCodes): boolean {
  return isMissingObject(refusal) || (refusal.code !== null && INVALID_INPUT.has(refusal.code));
}

/**
 * Also true if the account cannot see the object. For days at a time, the platform has answered so for objects that it had
 * just accepted: never end anything because of one such read.
 */
export function isMissingObject(refusal: RefusalCodes): boolean {
  return isMissingMedia(refusal) || (refusal.code === 100 && refusal.subcode === 33);
}

/** Names containers and posts, unlike 100/33, which also names the account. */
export function isMissingMedia({ code, subcode }: RefusalCodes): boolean {
  return code === 24 && subcode === 2207006;
}
