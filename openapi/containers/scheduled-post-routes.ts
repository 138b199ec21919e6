import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import {
  scheduledPostChange,
  scheduledPostInput,
  scheduledPostList,
  scheduledPostListQuery,
  scheduledPostSchema,
} from './scheduled-post-schema.ts';

const path = '/channels/{ch}/photoapp/scheduled-posts';
const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('channel.manage', { within: 'channel' });

export const scheduledPostRoutes = defineRoutes('Scheduled posts', {
  schedulePost: {
    route: `POST ${path}`,
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
    route: `GET ${path}`,
    summary: 'Lists the scheduled posts of the channel, newest first',
    remarks: 'Filter by status to find those that wait or failed.',
    access: reading,
    query: scheduledPostListQuery,
    answer: scheduledPostList,
  },
  getScheduledPost: {
    route: `GET ${path}/{sp}`,
    summary: 'Returns a scheduled post',
    remarks: 'With the content, and the container once it has started.',
    access: reading,
    answer: scheduledPostSchema,
  },
  changeScheduledPost: {
    route: `PATCH ${path}/{sp}`,
    summary: 'Changes the time or the content of a post that has not started',
    remarks: 'Fails once the post has started.',
    access: managing,
    body: scheduledPostChange,
    answer: scheduledPostSchema,
    errors: ['POST_NOT_SCHEDULED'],
  },
  cancelScheduledPost: {
    route: `POST ${path}/{sp}/cancel`,
    summary: 'Cancels a post that has not started',
    remarks: 'Fails once the post has started.',
    access: managing,
    answer: scheduledPostSchema,
    errors: ['POST_NOT_SCHEDULED'],
  },
});
