/** Per key. Each request with the key reads both lists. */
export const MAX_KEY_WORKSPACES = 50;
export const MAX_KEY_CIDRS = 50;

/** Null is unlimited, so every list is narrower than it. */
export function isNarrower<Item>(before: readonly Item[] | null, after: readonly Item[]): boolean {
  return before === null || after.every((item) => before.includes(item));
}
