import { z } from 'zod';
import {
  MAX_PUBLISH_AHEAD_MS,
  MAX_PUBLISH_DELAY_MS,
  scheduledPostReasons,
  scheduledPostStatuses,
} from '../../contract/containers/scheduled-post.ts';
import { evenIfFieldsFail } from '../definitions/even-if-fields-fail.ts';
import { idField, instantField, nextCursorField, pageQuery } from '../definitions/fields.ts';
import { containerInput } from './schema.ts';

const publishAtField = instantField.meta({
  description: `When to publish it, at most ${MAX_PUBLISH_AHEAD_MS / 86_400_000} days ahead, in UTC.`,
});

export const scheduledPostInput = z.strictObject({ publishAt: publishAtField, container: containerInput }).meta({
  id: 'ScheduledPostInput',
  examples: [
    {
      publishAt: '2027-01-01T08:00:00Z',
      container: { mediaType: 'IMAGE', imageUrl: 'https://media.example.com/1.jpg', autoPublish: true },
    },
  ],
});

export type ScheduledPostInput = z.output<typeof scheduledPostInput>;

export const scheduledPostChange = z
  .strictObject({ publishAt: publishAtField.optional(), container: containerInput.optional() })
  .refine(({ publishAt, container }) => publishAt !== undefined || container !== undefined, {
    error: 'requires publishAt, container or both',
    ...evenIfFieldsFail,
  })
  .meta({ id: 'ScheduledPostChange', minProperties: 1 });

export const scheduledPostSchema = z
  .strictObject({
    scheduledPostId: idField('scheduledPost', 'The scheduled post.'),
    channelId: idField('channel', 'The channel.'),
    publishAt: instantField.meta({
      description: `A post that can't be started within ${MAX_PUBLISH_DELAY_MS / 60_000} minutes of this time ends as \`failed\`.`,
    }),
    status: z.enum(scheduledPostStatuses).meta({
      description:
        'It can be changed and cancelled while `scheduled`. With `started`, it is a media container: read that for ' +
        'the outcome.',
    }),
    reason: z.enum(scheduledPostReasons).nullable().meta({ description: 'Why it ended as `failed`.' }),
    statusDetail: z.string().nullable(),
    containerId: idField('container', 'The media container.')
      .nullable()
      .meta({ description: 'Null until the post has started.' }),
    container: z
      .looseObject({})
      .nullable()
      .meta({ description: 'The request for the media container. Null once the post has failed or was cancelled.' }),
    createdBy: z.string().meta({ description: 'The credential that scheduled it.' }),
    createdAt: instantField,
    endedAt: instantField.nullable(),
  })
  .meta({ id: 'ScheduledPost' });
export type ScheduledPostBody = z.output<typeof scheduledPostSchema>;

export const scheduledPostList = z
  .strictObject({ scheduledPosts: z.array(scheduledPostSchema), nextCursor: nextCursorField })
  .meta({ id: 'ScheduledPostList' });

export const scheduledPostListQuery = z.strictObject({
  status: z.enum(scheduledPostStatuses).optional(),
  ...pageQuery,
});
