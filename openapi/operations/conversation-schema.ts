import { z } from 'zod';
import { evenIfFieldsFail, instantField, namedObject, nextCursorField } from '../definitions/fields.ts';
import { CONVERSATION_ID, conversationIdPattern } from './platform-ids.ts';
import { platformIdField, platformPageQuery, participantField } from './platform-fields.ts';

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

export const conversationList = namedObject('ConversationList', {
  conversations: z.array(conversation),
  nextCursor: nextCursorField,
});
export type ConversationList = z.output<typeof conversationList>;
