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
    type: z.enum(pagePostTypes).nullable().meta({ description: 'Null for kinds that the API cannot publish.' }),
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
    parentId: platformIdField.nullable().meta({ description: 'The comment to which this one replies.' }),
  })
  .meta({ id: 'PageappComment' });
export type PageCommentBody = z.output<typeof pageCommentSchema>;

export const pageCommentQuery = z.strictObject({
  postId: objectIdField('The post.'),
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
  postId: objectIdField('The post, reel or video; the Page by default.').optional(),
  metrics: nameListField("Metrics by the platform's names; a common selection by default.").optional(),
  period: z
    .enum(['day', 'week', 'days_28', 'lifetime'])
    .optional()
    .meta({ description: '`day` by default for a Page.' }),
  ...insightTimes,
});
export type PageInsightQuery = z.output<typeof pageInsightQuery>;

export const pageInsightSchema = z
  .strictObject({
    target: z.enum(['page', 'post', 'reel']).meta({ description: 'With `reel`, `targetId` is its video.' }),
    ...metricFields,
  })
  .meta({ id: 'PageappInsights' });
export type PageInsightBody = z.output<typeof pageInsightSchema>;
