import { z } from 'zod';
import {
  evenIfFieldsFail,
  givenInstant,
  idField,
  instantField,
  isStorable,
  namedObject,
  namedPage,
  NO_CURSOR,
  UNSTORABLE,
} from '../definitions/fields.ts';
import type { PlatformIdParameter } from '../definitions/route-definition.ts';
import { platformRefusalCodes } from '../../contract/errors.ts';
import { checkUrl, MAX_URL_LENGTH, parsedForm } from '../../contract/addresses/check-url.ts';
import { isPerson, MAX_PERSON_LENGTH, PERSON_EXPECTED } from '../../contract/operations/person-id.ts';

/** Posts, comments and media. Excludes reserved words such as `me`. */
const objectIdPattern = /^\d{1,40}(?:_\d{1,40}){0,2}$/;

const OBJECT_ID = 'must be an id of the platform: digits, or up to three groups of digits with underscores';

export function objectIdParameter(description: string): PlatformIdParameter {
  return { kind: 'platformId', pattern: objectIdPattern, expected: OBJECT_ID, description };
}

/** Requires a digit, which excludes reserved words. */
const conversationIdPattern = /^(?=.*\d)[A-Za-z0-9_=:-]{1,256}$/;

const CONVERSATION_ID = 'must be the id of a conversation, as a list of conversations returns it';

/** Allows more characters, because these ids are sent only in bodies. */
export const messageIdPattern = /^[A-Za-z0-9_.:=+/$-]{1,256}$/;

export const MESSAGE_ID = 'must be the id of a message, as its event has it, with at most 256 characters';

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
const participantField = z.string().regex(/^\d{1,40}$/, 'must be the id of a person for the account: digits');

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

export const conversationQuery = z
  .strictObject({
    conversationId: z
      .string()
      .regex(conversationIdPattern, CONVERSATION_ID)
      .optional()
      .describe('Returns only this conversation, with pages of its messages.'),
    participantId: participantField.optional().describe('Filters by person.'),
    ...platformPageQuery,
  })
  .refine(({ conversationId, participantId }) => conversationId === undefined || participantId === undefined, {
    error: 'cannot be combined: conversationId, participantId',
    ...evenIfFieldsFail,
  });
export type ConversationQuery = z.output<typeof conversationQuery>;

const message = namedObject('ConversationMessage', {
  id: platformIdField,
  fromId: platformIdField.nullable(),
  fromName: z.string().nullable(),
  text: z.string().nullable(),
  createdAt: instantField.nullable(),
});

const conversation = namedObject('Conversation', {
  id: platformIdField,
  participantId: platformIdField.nullable(),
  participantName: z.string().nullable(),
  updatedAt: instantField.nullable(),
  unreadCount: z.int().nullable(),
  snippet: z.string().nullable(),
  messages: z.array(message).nullable().describe('Newest first. Null in a list of conversations.'),
});

export const conversationList = namedPage('ConversationList', { conversations: conversation });
export type ConversationList = z.output<typeof conversationList>;

const metricValue = z.union([z.number(), z.record(z.string(), z.number())]).nullable();

const metricSchema = namedObject('InsightMetric', {
  name: z.string(),
  period: z.string().nullable(),
  values: z.array(
    z.strictObject({
      value: metricValue,
      endTime: instantField.nullable().describe('End of the counted period; null for a total.'),
    }),
  ),
  breakdown: z
    .array(z.strictObject({ dimensions: z.record(z.string(), z.string()), value: z.number() }))
    .nullable()
    .describe('Parts of the total, if you requested a breakdown.'),
});
export type MetricBody = z.output<typeof metricSchema>;

export const metricFields = {
  targetId: platformIdField,
  metrics: z.array(metricSchema),
  unavailable: z
    .array(z.string())
    .describe('Metrics without a value: unknown, too few people, or no data. They are not zero.'),
};

export const insightTimes = {
  since: givenInstant.optional().describe('Counts from this time.'),
  until: givenInstant.optional().describe('Counts until this time.'),
};
