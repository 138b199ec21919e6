import { z } from 'zod';
import { type IdKind, idPattern, idPrefixes } from '../../contract/ids.ts';
import { isVisibleText } from '../../contract/text/visible-text.ts';
import { MAX_URL_LENGTH } from '../../contract/addresses/check-url.ts';
import { isJsonObject } from '../../contract/is-json-object.ts';

/** Spelled out, because tools that read the document don't support character classes. */
export const noControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/;

export function idField(kind: IdKind, description: string) {
  return z
    .string()
    .regex(idPattern(kind), `must be an id: ${idPrefixes[kind]} and 8 letters or digits`)
    .describe(description);
}

export const instantField = z.iso.datetime({ error: 'must be a time in UTC, such as 2026-01-31T12:00:00Z' });

/** Of requests, with any time zone. */
export const givenInstant = z.iso.datetime({
  offset: true,
  error: 'must be a time with a time zone, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00',
});

/** A line that people see. */
export const visibleLine = (maxLength: number, text = z.string()) =>
  text
    .min(1)
    .max(maxLength)
    .regex(noControlCharacters, 'must have no control characters')
    .refine(isVisibleText, 'must be visible text without characters that are invisible or change the text direction');

export const nameInput = visibleLine(200, z.string().trim());

/** Returns distinct words in the order of the list. */
export function wordListField<const Word extends string>(words: readonly Word[], description: string) {
  const word = `(?:${words.map((one) => one.replaceAll('.', '\\.')).join('|')})`;
  const pattern = new RegExp(`^${word}(?:,${word}){0,${words.length - 1}}$`);
  return z
    .string()
    .regex(pattern, `must be one or more of ${words.join(', ')}, comma-separated`)
    .transform((text) => {
      const given = new Set<string>(text.split(','));
      return words.filter((one) => given.has(one));
    })
    .describe(`${description}: one or more of ${words.join(', ')}, comma-separated.`);
}

export const urlField = z.url().max(MAX_URL_LENGTH);

/** Cursors are opaque. */
export const NO_CURSOR = 'must be a cursor that this list has returned';

export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).optional().describe('Records per page; 50 by default.'),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/, NO_CURSOR)
    .optional()
    .describe('The previous `nextCursor`.'),
};
/** Of a list without filters. */
export const listQuery = z.strictObject(pageQuery);
export const DEFAULT_PAGE_SIZE = 50;

/** Cursors of the platform's lists are longer than ours. */
export const nextCursorField = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,2048}$/)
  .nullable()
  .describe('Pass it as `cursor` to get the next page. Null on the last page.');

/** Returns the schema of an object that the document names. */
export function namedObject<Shape extends z.ZodRawShape>(id: string, shape: Shape, description?: string) {
  return z.strictObject(shape).meta({ id, ...(description !== undefined && { description }) });
}

/** Returns the schema of a page of records, given by the name of the list. */
export function namedPage<Name extends string, Item extends z.ZodType>(
  id: string,
  records: Readonly<Record<Name, Item>>,
) {
  const [[name, item]] = Object.entries(records) as [[Name, Item]];
  const list = { [name]: z.array(item) } as Record<Name, z.ZodArray<Item>>;
  return namedObject(id, { ...list, nextCursor: nextCursorField });
}

/** Runs cross-field checks even if single fields are invalid, so that one response lists all problems. */
export const evenIfFieldsFail = { when: ({ value }: { readonly value: unknown }): boolean => isJsonObject(value) };

export const idempotencyKeyField = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters')
  .describe(
    'Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body ' +
      'returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.',
  );

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
