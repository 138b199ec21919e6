import { z } from 'zod';
import { instantField, nextCursorField } from '../definitions/fields.ts';
import { insightTimes, metricFields } from './insight-schema.ts';
import { nameListField, objectIdField, platformIdField, platformPageQuery } from './platform-fields.ts';

export const pagePostTypes = ['text', 'link', 'photo', 'video'] as const;

export const pagePostSchema = z
  .strictObject({
    id: platformIdField,
    message: z.string().nullable(),
    createdAt: instantField.nullable(),
    permalink: z.string().nullable(),
    type: z.enum(pagePostTypes).nullable().meta({ description: 'Null for kinds that cannot be published here.' }),
  })
  .meta({ id: 'PageappPost' });
export type PagePostBody = z.output<typeof pagePostSchema>;

export const pagePostQuery = z.strictObject(platformPageQuery);
export const pagePostList = z
  .strictObject({ posts: z.array(pagePostSchema), nextCursor: nextCursorField })
  .meta({ id: 'PageappPostList' });

export const pageCommentSchema = z
  .strictObject({
    id: platformIdField,
    fromId: platformIdField.nullable(),
    fromName: z.string().nullable(),
    message: z.string().nullable(),
    createdAt: instantField.nullable(),
    isHidden: z.boolean().nullable(),
    parentId: platformIdField.nullable().meta({ description: 'The comment that it replies to.' }),
  })
  .meta({ id: 'PageappComment' });
export type PageCommentBody = z.output<typeof pageCommentSchema>;

export const pageCommentQuery = z.strictObject({
  postId: objectIdField('Comments on this post, replies among them.'),
  ...platformPageQuery,
});
export type PageCommentQuery = z.output<typeof pageCommentQuery>;
export const pageCommentList = z
  .strictObject({ comments: z.array(pageCommentSchema), nextCursor: nextCursorField })
  .meta({ id: 'PageappCommentList' });

export const pageSchema = z
  .strictObject({
    pageId: platformIdField,
    name: z.string().nullable(),
    category: z.string().nullable(),
    followers: z.int().nullable(),
    link: z.string().nullable(),
    pictureUrl: z.string().nullable(),
  })
  .meta({ id: 'PageappPage' });
export type PageBody = z.output<typeof pageSchema>;

export const pageInsightQuery = z.strictObject({
  postId: objectIdField('Of this post; else of the Page.').optional(),
  metrics: nameListField("The platform's names; a usual few unless given.").optional(),
  period: z
    .enum(['day', 'week', 'days_28', 'lifetime'])
    .optional()
    .meta({ description: 'day for a Page unless given.' }),
  ...insightTimes,
});
export type PageInsightQuery = z.output<typeof pageInsightQuery>;

export const pageInsightSchema = z
  .strictObject({ target: z.enum(['page', 'post']), ...metricFields })
  .meta({ id: 'PageappInsights' });
export type PageInsightBody = z.output<typeof pageInsightSchema>;
