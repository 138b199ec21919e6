import { z } from 'zod';
import { platformRefusalCodes } from '../../contract/errors.ts';
import { checkUrl, MAX_URL_LENGTH, parsedForm } from '../../contract/addresses/check-url.ts';
import { idField, isStorable, NO_CURSOR, UNSTORABLE } from '../definitions/fields.ts';
import { isPerson, MAX_PERSON_LENGTH, PERSON_EXPECTED } from '../../contract/operations/person-id.ts';
import { OBJECT_ID, objectIdPattern } from './platform-ids.ts';

export const channelIdField = idField('channel', 'The channel.');

export const platformIdField = z.string().min(1);

export function objectIdField(description: string) {
  return z.string().regex(objectIdPattern, OBJECT_ID).describe(description);
}

export const recipientField = z
  .string()
  .min(1)
  .max(MAX_PERSON_LENGTH)
  .refine(isPerson, PERSON_EXPECTED)
  .describe(
    'The person, as in the `sender` of an event: a phone number with its country code, which may have its plus sign ' +
      'and spaces, the user id of a person without a number, or the id of the person for the account.',
  );

/** Of a conversation, which the platform finds only by the id of the person for the account. */
export const participantField = z.string().regex(/^\d{1,40}$/, 'must be the id of a person for the account: digits');

/** With the platform's order and cursors. */
export const platformPageQuery = {
  limit: z.coerce.number().int().min(1).max(100).optional().describe('Records per page; 25 by default.'),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,2048}$/, NO_CURSOR)
    .optional()
    .describe('The previous `nextCursor`.'),
};

export const refusalCodeField = z
  .enum(platformRefusalCodes)
  .nullable()
  .describe(
    "What the platform's last refusal means, as an error code: a direct call would have been answered with it. Null " +
      'without a refusal.',
  );

export function nameListField(description: string) {
  return z
    .string()
    .regex(/^[a-z0-9_]{1,64}(?:,[a-z0-9_]{1,64}){0,19}$/, 'must be up to 20 comma-separated names in lower case')
    .transform((names) => [...new Set(names.split(','))])
    .describe(description);
}

/** Counts Unicode characters. */
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

/** The platform fetches it, so only its form is checked. */
export const publicUrlField = z
  .string()
  .superRefine((url, context) => {
    const verdict = checkUrl(url, { allowHttp: false, allow: [] });
    if (!verdict.ok) context.addIssue(verdict.reason);
    else if (!isStorable(url)) context.addIssue(UNSTORABLE);
  })
  .overwrite(parsedForm)
  .meta({ description: 'A public https URL.', format: 'uri', maxLength: MAX_URL_LENGTH });
