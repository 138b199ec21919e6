/** Far below the depth at which parsers fail. */
const MAX_DEPTH = 16;

/** Returns why a value can't be stored, or undefined. */
export function jsonRefusal(value: unknown, maxLength: number): string | undefined {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (typeof item.value === 'string' && !isStorable(item.value)) return UNSTORABLE;
    if (typeof item.value !== 'object' || item.value === null) continue;
    if (item.depth > MAX_DEPTH) return `nested more than ${MAX_DEPTH} levels deep`;
    for (const [key, inner] of Object.entries(item.value)) {
      if (!isStorable(key)) return UNSTORABLE;
      waiting.push({ value: inner, depth: item.depth + 1 });
    }
  }
  // `JSON.stringify` recurses, so it follows the depth check.
  return JSON.stringify(value).length > maxLength ? `longer than ${maxLength} characters as JSON` : undefined;
}

export const UNSTORABLE = 'contains a null character or a lone surrogate';

/** PostgreSQL stores neither NUL nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
