import { z } from 'zod';
import { evenIfFieldsFail, instantField, namedObject, nextCursorField } from '../definitions/fields.ts';
import { objectIdField, platformIdField, platformPageQuery } from './platform-fields.ts';

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

export const photoMediaList = namedObject('PhotoappMediaList', {
  media: z.array(photoMediaSchema),
  nextCursor: nextCursorField,
});

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

export const photoCommentList = namedObject('PhotoappCommentList', {
  comments: z.array(photoCommentSchema),
  nextCursor: nextCursorField,
});

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
