import { z } from 'zod';
import { evenIfFieldsFail } from '../definitions/even-if-fields-fail.ts';
import { CONVERSATION_ID, conversationIdPattern } from './platform-ids.ts';
import { instantField, nextCursorField } from '../definitions/fields.ts';
import { platformIdField, platformPageQuery, participantField } from './platform-fields.ts';

export const conversationQuery = z
  .strictObject({
    conversationId: z
      .string()
      .regex(conversationIdPattern, CONVERSATION_ID)
      .optional()
      .meta({ description: 'Returns only this conversation, with pages of its messages.' }),
    participantId: participantField.optional().meta({ description: 'Filters by person.' }),
    ...platformPageQuery,
  })
  .refine(({ conversationId, participantId }) => conversationId === undefined || participantId === undefined, {
    error: 'cannot be combined: conversationId, participantId',
    ...evenIfFieldsFail,
  });
export type ConversationQuery = z.output<typeof conversationQuery>;

const message = z
  .strictObject({
    id: platformIdField,
    fromId: platformIdField.nullable(),
    fromName: z.string().nullable(),
    text: z.string().nullable(),
    createdAt: instantField.nullable(),
  })
  .meta({ id: 'ConversationMessage' });

const conversation = z
  .strictObject({
    id: platformIdField,
    participantId: platformIdField.nullable(),
    participantName: z.string().nullable(),
    updatedAt: instantField.nullable(),
    unreadCount: z.int().nullable(),
    snippet: z.string().nullable(),
    messages: z.array(message).nullable().meta({ description: 'Newest first. Null in a list of conversations.' }),
  })
  .meta({ id: 'Conversation' });

export const conversationList = z
  .strictObject({ conversations: z.array(conversation), nextCursor: nextCursorField })
  .meta({ id: 'ConversationList' });
export type ConversationList = z.output<typeof conversationList>;
