import { z } from 'zod';
import {
  channelIdField,
  insightTimes,
  metricFields,
  nameListField,
  objectIdField,
  platformIdField,
  platformPageQuery,
  sentTextField,
} from './platform-fields.ts';
import { evenIfFieldsFail, instantField, namedObject, namedPage, nextCursorField } from '../definitions/fields.ts';

const MAX_REPLY_LENGTH = 2200;

export const photoReplyInput = namedObject('PhotoappReplyInput', {
  text: sentTextField(MAX_REPLY_LENGTH),
  private: z
    .boolean()
    .default(false)
    .describe('Sends a private message to the author. Allowed once per comment, within 7 days.'),
});

export const replySent = namedObject('CommentReply', {
  channelId: channelIdField,
  commentId: platformIdField,
  private: z.boolean(),
  replyId: platformIdField.nullable().describe('Id of a public reply.'),
  messageId: platformIdField.nullable().describe('Id of a private reply.'),
});

const commentActions = ['hide', 'unhide', 'delete'] as const;
export type CommentAction = (typeof commentActions)[number];

export const commentModerationInput = namedObject('CommentModerationInput', { action: z.enum(commentActions) });

export const commentModerated = namedObject('CommentModeration', {
  channelId: channelIdField,
  commentId: platformIdField,
  action: z.enum(commentActions),
  ok: z.boolean(),
});

const mediaActions = ['enable_comments', 'disable_comments'] as const;
export type PhotoMediaAction = (typeof mediaActions)[number];

export const photoMediaModerationInput = namedObject('PhotoappMediaModerationInput', { action: z.enum(mediaActions) });

export const photoMediaModerated = namedObject('PhotoappMediaModeration', {
  channelId: channelIdField,
  mediaId: platformIdField,
  action: z.enum(mediaActions),
  ok: z.boolean(),
});

export const photoAccountQuery = z.strictObject({
  includePublishingLimit: z.enum(['true', 'false']).optional().describe('Whether to return `quota`.'),
});

export const photoAccountSchema = namedObject('PhotoappAccount', {
  accountId: platformIdField,
  username: z.string().nullable(),
  name: z.string().nullable(),
  biography: z.string().nullable(),
  website: z.string().nullable(),
  profilePictureUrl: z.string().nullable(),
  followerCount: z.int().nullable(),
  followingCount: z.int().nullable(),
  mediaCount: z.int().nullable(),
  quota: z
    .strictObject({ used: z.int(), total: z.int(), durationSeconds: z.int().nullable() })
    .nullable()
    .describe('API posts within the duration; null unless requested and known.'),
});
export type PhotoAccountBody = z.output<typeof photoAccountSchema>;

export const photoInsightQuery = z.strictObject({
  mediaId: objectIdField('The media object; the account by default.').optional(),
  metrics: nameListField("Metrics by the platform's names; a common selection by default.").optional(),
  period: z.enum(['day', 'week', 'days_28', 'lifetime']).optional().describe('For the account only.'),
  metricType: z.enum(['total_value', 'time_series']).optional().describe('A total, or a value per period.'),
  breakdown: nameListField('Dimensions to split totals by.').optional(),
  timeframe: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, 'must be one word of lower-case letters, digits and underscores')
    .optional()
    .describe('Required by some demographic metrics.'),
  ...insightTimes,
});
export type PhotoInsightQuery = z.output<typeof photoInsightQuery>;

export const photoInsightSchema = namedObject('PhotoappInsights', {
  target: z.enum(['account', 'media']),
  ...metricFields,
});
export type PhotoInsightBody = z.output<typeof photoInsightSchema>;

const photoMediaTypes = ['image', 'video', 'carousel'] as const;

const shown = {
  id: platformIdField,
  mediaType: z.enum(photoMediaTypes).nullable(),
  mediaUrl: z.string().nullable().describe('Expires after a short time.'),
  thumbnailUrl: z.string().nullable(),
  permalink: z.string().nullable(),
  createdAt: instantField.nullable(),
};

export const photoMediaSchema = namedObject('PhotoappMedia', {
  ...shown,
  productType: z.string().nullable().describe('Where it appears: feed, reels, story or ad.'),
  caption: z.string().nullable(),
  username: z.string().nullable(),
  likeCount: z.int().nullable(),
  commentCount: z.int().nullable(),
  children: z.array(z.strictObject(shown)).nullable().describe('Only for a carousel requested by `mediaId`.'),
});
export type PhotoMediaBody = z.output<typeof photoMediaSchema>;

export const photoMediaQuery = z
  .strictObject({
    source: z.enum(['posts', 'stories', 'tagged']).optional().describe('`posts` by default.'),
    mediaId: objectIdField('Returns only this media object, with its children.').optional(),
    ...platformPageQuery,
  })
  .refine(({ source, mediaId }) => source === undefined || mediaId === undefined, {
    error: 'cannot be combined: source, mediaId',
    ...evenIfFieldsFail,
  });
export type PhotoMediaQuery = z.output<typeof photoMediaQuery>;

export const photoMediaList = namedPage('PhotoappMediaList', { media: photoMediaSchema });

export const photoCommentSchema = namedObject('PhotoappComment', {
  id: platformIdField,
  text: z.string().nullable(),
  fromId: platformIdField.nullable(),
  username: z.string().nullable(),
  createdAt: instantField.nullable(),
  isHidden: z.boolean().nullable(),
  parentId: platformIdField.nullable(),
  likeCount: z.int().nullable(),
});
export type PhotoCommentBody = z.output<typeof photoCommentSchema>;

export const photoCommentQuery = z
  .strictObject({
    mediaId: objectIdField('Returns the comments on this media object.').optional(),
    commentId: objectIdField('Returns the replies to this comment.').optional(),
    ...platformPageQuery,
  })
  .refine(({ mediaId, commentId }) => (mediaId === undefined) !== (commentId === undefined), {
    error: 'requires exactly one of mediaId and commentId',
    ...evenIfFieldsFail,
  });
export type PhotoCommentQuery = z.output<typeof photoCommentQuery>;

export const photoCommentList = namedPage('PhotoappCommentList', { comments: photoCommentSchema });

export const photoMentionQuery = z
  .strictObject({
    mediaId: objectIdField('The media object whose caption mentions the account, by the id in its event.').optional(),
    commentId: objectIdField('The comment that mentions the account, by the id in its event.').optional(),
    ...platformPageQuery,
  })
  .refine(({ mediaId, commentId }) => mediaId === undefined || commentId === undefined, {
    error: 'cannot be combined: mediaId, commentId',
    ...evenIfFieldsFail,
  });
export type PhotoMentionQuery = z.output<typeof photoMentionQuery>;

export const photoMentionList = namedObject(
  'PhotoappMentionList',
  {
    mentions: z.array(
      namedObject('PhotoappMention', {
        media: photoMediaSchema
          .nullable()
          .describe('The media object that mentions the account, or that was commented on.'),
        comment: photoCommentSchema.nullable(),
      }),
    ),
    nextCursor: nextCursorField,
  },
  'Without an id, media of other accounts that tag the account.',
);
export type PhotoMentionList = z.output<typeof photoMentionList>;
