/** Deeper than any honest value, and far from where a reader that recurses, ours or the database's, would fail. */
const MAX_DEPTH = 16;

/** Says why a free-form value cannot be kept: it is too deep or too long, or has text that the database refuses. */
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
  // Only now: it recurses.
  return JSON.stringify(value).length > maxLength ? `longer than ${maxLength} characters as JSON` : undefined;
}

export const UNSTORABLE = 'contains a null character or half of a surrogate pair';

/** PostgreSQL keeps neither null characters nor text that is not Unicode. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
