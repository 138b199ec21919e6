import { isStorable, UNSTORABLE } from '../../openapi/definitions/json-bounds.ts';

interface Place {
  readonly value: unknown;
  readonly at: string;
}

/** Stored as bytes, which may contain U+0000. */
const KEPT_AS_BYTES: ReadonlySet<string> = new Set(['responseBody']);

/** Names every text, including field names, that PostgreSQL can't store. Iterative, because the input may be deep. */
export function unstorableText(input: unknown, part: string): string[] {
  const problems: string[] = [];
  const waiting: Place[] = [{ value: input, at: part }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value, at } = place;
    if (typeof value === 'string' && !isStorable(value)) problems.push(`${at}: ${UNSTORABLE}`);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) problems.push(`${at}: the name of a field ${UNSTORABLE}`);
      else if (isText(inner) && !KEPT_AS_BYTES.has(key)) waiting.push({ value: inner, at: `${at}.${key}` });
    }
  }
  return problems;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}
