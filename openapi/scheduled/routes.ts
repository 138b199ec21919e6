import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import {
  scheduledMessageChange,
  scheduledMessageInput,
  scheduledMessageList,
  scheduledMessageListQuery,
  scheduledMessageSchema,
  scheduledPostChange,
  scheduledPostInput,
  scheduledPostList,
  scheduledPostListQuery,
  scheduledPostSchema,
} from './schema.ts';

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
