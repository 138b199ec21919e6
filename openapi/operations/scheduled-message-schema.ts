import { z } from 'zod';
import {
  MAX_SEND_AHEAD_MS,
  MAX_SEND_DELAY_MS,
  scheduledMessageReasons,
  scheduledMessageStatuses,
} from '../../contract/operations/scheduled-message.ts';
import { evenIfFieldsFail } from '../definitions/even-if-fields-fail.ts';
import { idField, instantField, nextCursorField, pageQuery } from '../definitions/fields.ts';
import { messageInput } from './message-schema.ts';
import { channelIdField, platformIdField, refusalCodeField } from './platform-fields.ts';

const MAX_DAYS = MAX_SEND_AHEAD_MS / 86_400_000;
const sendAtField = instantField.meta({ description: `When to send it, at most ${MAX_DAYS} days ahead, in UTC.` });

export const scheduledMessageInput = z
  .strictObject({ sendAt: sendAtField, message: messageInput })
  .meta({ id: 'ScheduledMessageInput' });

export const scheduledMessageChange = z
  .strictObject({ sendAt: sendAtField.optional(), message: messageInput.optional() })
  .refine(({ sendAt, message }) => sendAt !== undefined || message !== undefined, {
    error: 'requires sendAt, message or both',
    ...evenIfFieldsFail,
  })
  .meta({ id: 'ScheduledMessageChange', minProperties: 1 });

export const scheduledMessageSchema = z
  .strictObject({
    scheduledMessageId: idField('scheduledMessage', 'The scheduled message.'),
    channelId: channelIdField,
    sendAt: instantField.meta({
      description: `A message that can't be sent within ${MAX_SEND_DELAY_MS / 60_000} minutes of this time ends as \`failed\`.`,
    }),
    status: z.enum(scheduledMessageStatuses).meta({
      description:
        'It can be changed and cancelled while `scheduled`. With `unknown`, it may have been sent: the answer was lost, ' +
        'and it is never sent again.',
    }),
    reason: z.enum(scheduledMessageReasons).nullable().meta({ description: 'Why it ended as `failed` or `unknown`.' }),
    statusDetail: z.string().nullable(),
    refusalCode: refusalCodeField,
    recipient: z.string().nullable().meta({ description: 'Null once the message has ended.' }),
    message: z
      .looseObject({})
      .nullable()
      .meta({ description: 'The content. Null in lists, and once the message has ended: it is erased then.' }),
    platformMessageId: platformIdField.nullable(),
    createdBy: z.string().meta({ description: 'The credential that scheduled it.' }),
    createdAt: instantField,
    endedAt: instantField.nullable(),
  })
  .meta({ id: 'ScheduledMessage' });
export type ScheduledMessageBody = z.output<typeof scheduledMessageSchema>;

export const scheduledMessageList = z
  .strictObject({ scheduledMessages: z.array(scheduledMessageSchema), nextCursor: nextCursorField })
  .meta({ id: 'ScheduledMessageList' });

export const scheduledMessageListQuery = z.strictObject({
  status: z.enum(scheduledMessageStatuses).optional(),
  ...pageQuery,
});
