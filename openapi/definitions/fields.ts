import { z } from 'zod';
import { type IdKind, idPattern } from '../../contract/ids.ts';
import { MAX_URL_LENGTH } from '../../contract/addresses/judge-url.ts';

/** Without control characters; written out, because tools that read the document know no classes of characters. */
export const noControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** A public id of this kind. */
export function idField(kind: IdKind, description: string) {
  return z.string().regex(idPattern(kind)).meta({ description });
}

/** An instant in UTC, as `Date.prototype.toISOString` writes it. */
export const instantField = z.iso.datetime();

/** What people call an organization or a workspace, on one line. */
export const nameInput = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(noControlCharacters, 'must have no control characters');

/** Comma-separated words in a query, each of them one of these; answers with them once each, in their own order. */
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
    .meta({ description: `${description}: one or more of ${words.join(', ')}, comma-separated.` });
}

/** The address of a receiver. Its form alone is checked here; whether it may be called is judged elsewhere. */
export const urlField = z.url().max(MAX_URL_LENGTH);

/** Query of every list: newest first, page by page. */
export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Records on a page; 50 unless given.' }),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/)
    .optional()
    .meta({ description: '`nextCursor` of the page before.' }),
};
export const DEFAULT_PAGE_SIZE = 50;

export const nextCursorField = z
  .string()
  .nullable()
  .meta({ description: 'To be passed as `cursor` for the next page; null on the last one.' });
