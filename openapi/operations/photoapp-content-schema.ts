import { z } from 'zod';
import { besideOthers } from '../definitions/beside-others.ts';
import { instantField, nextCursorField } from '../definitions/fields.ts';
import { objectIdField, platformIdField, platformPageQuery } from './platform-fields.ts';

const photoMediaTypes = ['image', 'video', 'carousel'] as const;

const shown = {
  id: platformIdField,
  mediaType: z.enum(photoMediaTypes).nullable(),
  mediaUrl: z.string().nullable().meta({ description: 'Good for a short time.' }),
  thumbnailUrl: z.string().nullable(),
  permalink: z.string().nullable(),
  createdAt: instantField.nullable(),
};

export const photoMediaSchema = z
  .strictObject({
    ...shown,
    productType: z.string().nullable().meta({ description: 'Where it is shown: feed, reels, story, ad.' }),
    caption: z.string().nullable(),
    username: z.string().nullable(),
    likeCount: z.int().nullable(),
    commentCount: z.int().nullable(),
    children: z
      .array(z.strictObject(shown))
      .nullable()
      .meta({ description: 'Of a carousel that is asked for by its id.' }),
  })
  .meta({ id: 'PhotoappMedia' });
export type PhotoMediaBody = z.output<typeof photoMediaSchema>;

export const photoMediaQuery = z
  .strictObject({
    source: z.enum(['posts', 'stories', 'tagged']).optional().meta({ description: 'posts unless given.' }),
    mediaId: objectIdField('Only this one, with its children.').optional(),
    ...platformPageQuery,
  })
  .refine(({ source, mediaId }) => source === undefined || mediaId === undefined, {
    error: 'source and mediaId exclude each other',
    ...besideOthers,
  });
export type PhotoMediaQuery = z.output<typeof photoMediaQuery>;

export const photoMediaList = z
  .strictObject({ media: z.array(photoMediaSchema), nextCursor: nextCursorField })
  .meta({ id: 'PhotoappMediaList' });

export const photoCommentSchema = z
  .strictObject({
    id: platformIdField,
    text: z.string().nullable(),
    fromId: platformIdField.nullable(),
    username: z.string().nullable(),
    createdAt: instantField.nullable(),
    isHidden: z.boolean().nullable(),
    parentId: platformIdField.nullable(),
    likeCount: z.int().nullable(),
  })
  .meta({ id: 'PhotoappComment' });
export type PhotoCommentBody = z.output<typeof photoCommentSchema>;

export const photoCommentQuery = z
  .strictObject({
    mediaId: objectIdField('Comments on this.').optional(),
    commentId: objectIdField('Replies to this comment.').optional(),
    ...platformPageQuery,
  })
  .refine(({ mediaId, commentId }) => (mediaId === undefined) !== (commentId === undefined), {
    error: 'exactly one of mediaId and commentId must be given',
    ...besideOthers,
  });
export type PhotoCommentQuery = z.output<typeof photoCommentQuery>;

export const photoCommentList = z
  .strictObject({ comments: z.array(photoCommentSchema), nextCursor: nextCursorField })
  .meta({ id: 'PhotoappCommentList' });

export const photoMentionQuery = z
  .strictObject({
    mediaId: objectIdField('The media whose caption mentions the account, as its event named it.').optional(),
    commentId: objectIdField('The comment that mentions the account, as its event named it.').optional(),
    ...platformPageQuery,
  })
  .refine(({ mediaId, commentId }) => mediaId === undefined || commentId === undefined, {
    error: 'mediaId and commentId exclude each other',
    ...besideOthers,
  });
export type PhotoMentionQuery = z.output<typeof photoMentionQuery>;

export const photoMentionList = z
  .strictObject({
    mentions: z.array(
      z
        .strictObject({
          media: photoMediaSchema
            .nullable()
            .meta({ description: 'What mentions the account, or what the comment is on.' }),
          comment: photoCommentSchema.nullable(),
        })
        .meta({ id: 'PhotoappMention' }),
    ),
    nextCursor: nextCursorField,
  })
  .meta({ id: 'PhotoappMentionList', description: 'Without an id: media of others that tag the account.' });
export type PhotoMentionList = z.output<typeof photoMentionList>;
