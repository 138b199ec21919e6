import { z } from 'zod';
import { instantField, namedObject, nextCursorField } from '../definitions/fields.ts';
import { insightTimes, metricFields } from './insight-schema.ts';
import { nameListField, objectIdField, platformIdField, platformPageQuery } from './platform-fields.ts';

export const pagePostTypes = ['text', 'link', 'photo', 'video'] as const;

export const pagePostSchema = namedObject('PageappPost', {
  id: platformIdField,
  message: z.string().nullable(),
  createdAt: instantField.nullable(),
  permalink: z.string().nullable(),
  type: z.enum(pagePostTypes).nullable().describe('Null for kinds that the API cannot publish.'),
});
export type PagePostBody = z.output<typeof pagePostSchema>;

export const pagePostQuery = z.strictObject(platformPageQuery);
export const pagePostList = namedObject('PageappPostList', {
  posts: z.array(pagePostSchema),
  nextCursor: nextCursorField,
});

export const pageCommentSchema = namedObject('PageappComment', {
  id: platformIdField,
  fromId: platformIdField.nullable(),
  fromName: z.string().nullable(),
  message: z.string().nullable(),
  createdAt: instantField.nullable(),
  isHidden: z.boolean().nullable(),
  parentId: platformIdField.nullable().describe('The comment to which this one replies.'),
});
export type PageCommentBody = z.output<typeof pageCommentSchema>;

export const pageCommentQuery = z.strictObject({
  postId: objectIdField('The post.'),
  ...platformPageQuery,
});
export type PageCommentQuery = z.output<typeof pageCommentQuery>;
export const pageCommentList = namedObject('PageappCommentList', {
  comments: z.array(pageCommentSchema),
  nextCursor: nextCursorField,
});

export const pageSchema = namedObject('PageappPage', {
  pageId: platformIdField,
  name: z.string().nullable(),
  category: z.string().nullable(),
  followers: z.int().nullable(),
  link: z.string().nullable(),
  pictureUrl: z.string().nullable(),
});
export type PageBody = z.output<typeof pageSchema>;

export const pageInsightQuery = z.strictObject({
  postId: objectIdField('The post, reel or video; the Page by default.').optional(),
  metrics: nameListField("Metrics by the platform's names; a common selection by default.").optional(),
  period: z.enum(['day', 'week', 'days_28', 'lifetime']).optional().describe('`day` by default for a Page.'),
  ...insightTimes,
});
export type PageInsightQuery = z.output<typeof pageInsightQuery>;

export const pageInsightSchema = namedObject('PageappInsights', {
  target: z.enum(['page', 'post', 'reel']).describe('With `reel`, `targetId` is its video.'),
  ...metricFields,
});
export type PageInsightBody = z.output<typeof pageInsightSchema>;
