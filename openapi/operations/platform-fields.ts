import { z } from 'zod';
import { judgeUrl, MAX_URL_LENGTH } from '../../contract/addresses/judge-url.ts';
import { isStorable, UNSTORABLE } from '../definitions/json-bounds.ts';
import { objectIdPattern, recipientPattern } from './platform-ids.ts';
import { idField } from '../definitions/fields.ts';

export const channelIdField = idField('channel', 'The channel.');

/** An id of the platform's in an answer. */
export const platformIdField = z.string().min(1);

/** An object of the platform's that a query names. */
export function objectIdField(description: string) {
  return z.string().regex(objectIdPattern).meta({ description });
}

export const recipientField = z
  .string()
  .regex(recipientPattern)
  .meta({ description: 'A phone number in international digits, or the id that the account knows the person by.' });

/** Query of lists that the platform keeps: its own order, and its own cursors in a form that says nothing. */
export const platformPageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Records on a page; 25 unless given.' }),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,2048}$/)
    .optional()
    .meta({ description: '`nextCursor` of the page before.' }),
};

/** Comma-separated names in a query. */
export function nameListField(description: string) {
  return z
    .string()
    .regex(/^[a-z0-9_]{1,64}(?:,[a-z0-9_]{1,64}){0,19}$/, 'must be up to 20 names of small letters, comma-separated')
    .transform((names) => [...new Set(names.split(','))])
    .meta({ description });
}

/** Text for people at the platform: its own bound is in characters as they see them. */
export function sentTextField(maxLength: number) {
  return z
    .string()
    .min(1)
    .superRefine((text, context) => {
      if ([...text].length > maxLength) context.addIssue(`longer than ${maxLength} characters`);
      if (!isStorable(text)) context.addIssue(UNSTORABLE);
    })
    .meta({ maxLength });
}

/** Fetched by the platform and never by us, so its form is all that is judged. */
export const publicUrlField = z
  .string()
  .superRefine((url, context) => {
    const verdict = judgeUrl(url, { allowHttp: false, allow: [] });
    if (!verdict.ok) context.addIssue(verdict.reason);
    else if (!isStorable(url)) context.addIssue(UNSTORABLE);
  })
  .meta({ description: 'A public https URL.', format: 'uri', maxLength: MAX_URL_LENGTH });
