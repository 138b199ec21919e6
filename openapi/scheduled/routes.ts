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
import { evenIfFieldsFail, idField, instantField, namedObject, namedPage, pageQuery } from '../definitions/fields.ts';
import { messageInput } from '../operations/message-routes.ts';
import { channelIdField, platformIdField, refusalCodeField } from '../operations/platform-fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';

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

const scheduledMessageChange = z
  .strictObject({ sendAt: sendAtField.optional(), message: messageInput.optional() })
  .refine(({ sendAt, message }) => sendAt !== undefined || message !== undefined, needsOne('sendAt, message'))
  .meta({ id: 'ScheduledMessageChange', minProperties: 1 });

const scheduledMessageSchema = namedObject('ScheduledMessage', {
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
  preview: z
    .string()
    .nullable()
    .meta({
      description: 'The text, shortened, or its kind in brackets. Null once the message has ended.',
      examples: ['Your loaves are ready to collect'],
    }),
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

const scheduledMessageList = namedPage('ScheduledMessageList', { scheduledMessages: scheduledMessageSchema });

const scheduledMessageListQuery = z.strictObject({
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

const scheduledPostChange = z
  .strictObject({ publishAt: publishAtField.optional(), container: containerInput.optional() })
  .refine(
    ({ publishAt, container }) => publishAt !== undefined || container !== undefined,
    needsOne('publishAt, container'),
  )
  .meta({ id: 'ScheduledPostChange', minProperties: 1 });

const scheduledPostSchema = namedObject('ScheduledPost', {
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

const scheduledPostList = namedPage('ScheduledPostList', { scheduledPosts: scheduledPostSchema });

const scheduledPostListQuery = z.strictObject({
  status: z.enum(scheduledPostStatuses).optional(),
  ...pageQuery,
});

const messagesPath = '/channels/{ch}/scheduled-messages';
const postsPath = '/channels/{ch}/photoapp/scheduled-posts';
/** Reading needs `message.send`, too, because it shows what was not sent yet. */
const sending = byScope('message.send', { within: 'channel' });
const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('channel.manage', { within: 'channel' });

export const scheduledMessageRoutes = defineRoutes('Scheduled messages', {
  scheduleMessage: {
    route: `POST ${messagesPath}`,
    summary: 'Schedules a message, which is sent once at its time',
    description:
      'The content is encrypted and erased when the message ends. The message is sent even if the credential that ' +
      'scheduled it has been revoked by then. If the channel is disconnected or moved at that time, it fails.',
    access: sending,
    body: scheduledMessageInput,
    idempotent: true,
    location: 'The scheduled message.',
    status: 202,
    answer: scheduledMessageSchema,
    errors: ['CHANNEL_DISCONNECTED', 'CREDENTIAL_REFUSED', 'LIMIT_REACHED'],
  },
  listScheduledMessages: {
    route: `GET ${messagesPath}`,
    summary: 'Lists the scheduled messages of the channel, newest first',
    remarks: 'Without their content.',
    access: sending,
    query: scheduledMessageListQuery,
    answer: scheduledMessageList,
  },
  getScheduledMessage: {
    route: `GET ${messagesPath}/{sm}`,
    summary: 'Returns a scheduled message with its content',
    remarks: 'The content is null once the message has ended.',
    access: sending,
    answer: scheduledMessageSchema,
  },
  changeScheduledMessage: {
    route: `PATCH ${messagesPath}/{sm}`,
    summary: 'Changes the time or the content of a message that is not sent yet',
    remarks: 'Fails once the send has begun.',
    access: sending,
    body: scheduledMessageChange,
    answer: scheduledMessageSchema,
    errors: ['CHANNEL_DISCONNECTED', 'CREDENTIAL_REFUSED', 'MESSAGE_NOT_SCHEDULED'],
  },
  cancelScheduledMessage: {
    route: `POST ${messagesPath}/{sm}/cancel`,
    summary: 'Cancels a message that is not sent yet',
    remarks: 'Fails once the send has begun.',
    access: sending,
    answer: scheduledMessageSchema,
    errors: ['MESSAGE_NOT_SCHEDULED'],
  },
});

export const scheduledPostRoutes = defineRoutes('Scheduled posts', {
  schedulePost: {
    route: `POST ${postsPath}`,
    summary: 'Schedules a post, which is created and published at its time',
    description:
      'At its time, the post becomes a media container with `autoPublish`. The platform then fetches the media, so ' +
      'their URLs must still work, and a video is published some minutes later. The post is published even if the ' +
      'credential that scheduled it has been revoked by then.',
    access: managing,
    body: scheduledPostInput,
    idempotent: true,
    location: 'The scheduled post.',
    status: 202,
    answer: scheduledPostSchema,
    errors: ['CHANNEL_TYPE_MISMATCH', 'CHANNEL_DISCONNECTED', 'CREDENTIAL_REFUSED', 'LIMIT_REACHED'],
  },
  listScheduledPosts: {
    route: `GET ${postsPath}`,
    summary: 'Lists the scheduled posts of the channel, newest first',
    remarks: 'Filter by status to find those that wait or failed.',
    access: reading,
    query: scheduledPostListQuery,
    answer: scheduledPostList,
  },
  getScheduledPost: {
    route: `GET ${postsPath}/{sp}`,
    summary: 'Returns a scheduled post',
    remarks: 'With the content, and the container once it has started.',
    access: reading,
    answer: scheduledPostSchema,
  },
  changeScheduledPost: {
    route: `PATCH ${postsPath}/{sp}`,
    summary: 'Changes the time or the content of a post that has not started',
    remarks: 'Fails once the post has started.',
    access: managing,
    body: scheduledPostChange,
    answer: scheduledPostSchema,
    errors: ['POST_NOT_SCHEDULED'],
  },
  cancelScheduledPost: {
    route: `POST ${postsPath}/{sp}/cancel`,
    summary: 'Cancels a post that has not started',
    remarks: 'Fails once the post has started.',
    access: managing,
    answer: scheduledPostSchema,
    errors: ['POST_NOT_SCHEDULED'],
  },
});
