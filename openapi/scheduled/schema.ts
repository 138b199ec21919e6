import { z } from 'zod';
import {
  MAX_AHEAD_MS,
  MAX_DELAY_MS,
  scheduledMessageReasons,
  scheduledMessageStatuses,
  scheduledPostReasons,
  scheduledPostStatuses,
} from '../../contract/scheduled/scheduled.ts';
import { containerInput } from '../containers/schema.ts';
import { evenIfFieldsFail } from '../definitions/even-if-fields-fail.ts';
import { idField, instantField, namedObject, nextCursorField, pageQuery } from '../definitions/fields.ts';
import { messageInput } from '../operations/message-schema.ts';
import { channelIdField, platformIdField, refusalCodeField } from '../operations/platform-fields.ts';

const dueField = (act: string) =>
  instantField.describe(`When to ${act} it, at most ${MAX_AHEAD_MS / 86_400_000} days ahead, in UTC.`);
const lateField = (what: string) =>
  instantField.describe(`${what} within ${MAX_DELAY_MS / 60_000} minutes of this time ends as \`failed\`.`);
const needsOne = (names: string) => ({ error: `requires ${names} or both`, ...evenIfFieldsFail });
const createdByField = z.string().describe('The credential that scheduled it.');

const sendAtField = dueField('send');

export const scheduledMessageInput = namedObject('ScheduledMessageInput', {
  sendAt: sendAtField,
  message: messageInput,
});

export const scheduledMessageChange = z
  .strictObject({ sendAt: sendAtField.optional(), message: messageInput.optional() })
  .refine(({ sendAt, message }) => sendAt !== undefined || message !== undefined, needsOne('sendAt, message'))
  .meta({ id: 'ScheduledMessageChange', minProperties: 1 });

export const scheduledMessageSchema = namedObject('ScheduledMessage', {
  scheduledMessageId: idField('scheduledMessage', 'The scheduled message.'),
  channelId: channelIdField,
  sendAt: lateField("A message that can't be sent"),
  status: z
    .enum(scheduledMessageStatuses)
    .describe(
      'It can be changed and cancelled while `scheduled`. With `unknown`, it may have been sent: the answer was lost, ' +
        'and it is never sent again.',
    ),
  reason: z.enum(scheduledMessageReasons).nullable().describe('Why it ended as `failed` or `unknown`.'),
  statusDetail: z.string().nullable(),
  refusalCode: refusalCodeField,
  recipient: z.string().nullable().describe('Null once the message has ended.'),
  message: z
    .looseObject({})
    .nullable()
    .describe('The content. Null in lists, and once the message has ended: it is erased then.'),
  platformMessageId: platformIdField.nullable(),
  createdBy: createdByField,
  createdAt: instantField,
  endedAt: instantField.nullable(),
});
export type ScheduledMessageBody = z.output<typeof scheduledMessageSchema>;

export const scheduledMessageList = namedObject('ScheduledMessageList', {
  scheduledMessages: z.array(scheduledMessageSchema),
  nextCursor: nextCursorField,
});

export const scheduledMessageListQuery = z.strictObject({
  status: z.enum(scheduledMessageStatuses).optional(),
  ...pageQuery,
});

const publishAtField = dueField('publish');

export const scheduledPostInput = z.strictObject({ publishAt: publishAtField, container: containerInput }).meta({
  id: 'ScheduledPostInput',
  examples: [
    {
      publishAt: '2027-01-01T08:00:00Z',
      container: { mediaType: 'IMAGE', imageUrl: 'https://media.example.com/1.jpg', autoPublish: true },
    },
  ],
});

export const scheduledPostChange = z
  .strictObject({ publishAt: publishAtField.optional(), container: containerInput.optional() })
  .refine(
    ({ publishAt, container }) => publishAt !== undefined || container !== undefined,
    needsOne('publishAt, container'),
  )
  .meta({ id: 'ScheduledPostChange', minProperties: 1 });

export const scheduledPostSchema = namedObject('ScheduledPost', {
  scheduledPostId: idField('scheduledPost', 'The scheduled post.'),
  channelId: idField('channel', 'The channel.'),
  publishAt: lateField("A post that can't be started"),
  status: z
    .enum(scheduledPostStatuses)
    .describe(
      'It can be changed and cancelled while `scheduled`. With `started`, it is a media container: read that for ' +
        'the outcome.',
    ),
  reason: z.enum(scheduledPostReasons).nullable().describe('Why it ended as `failed`.'),
  statusDetail: z.string().nullable(),
  containerId: idField('container', 'The media container.').nullable().describe('Null until the post has started.'),
  container: z
    .looseObject({})
    .nullable()
    .describe('The request for the media container. Null once the post has failed or was cancelled.'),
  createdBy: createdByField,
  createdAt: instantField,
  endedAt: instantField.nullable(),
});
export type ScheduledPostBody = z.output<typeof scheduledPostSchema>;

export const scheduledPostList = namedObject('ScheduledPostList', {
  scheduledPosts: z.array(scheduledPostSchema),
  nextCursor: nextCursorField,
});

export const scheduledPostListQuery = z.strictObject({
  status: z.enum(scheduledPostStatuses).optional(),
  ...pageQuery,
});
