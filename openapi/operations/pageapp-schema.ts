import { z } from 'zod';
import { evenIfFieldsFail, instantField, namedObject, namedPage } from '../definitions/fields.ts';
import {
  channelIdField,
  insightTimes,
  metricFields,
  nameListField,
  objectIdField,
  platformIdField,
  platformPageQuery,
  publicUrlField,
  sentTextField,
} from './platform-fields.ts';

const MAX_POST_LENGTH = 63_206;
const MAX_REPLY_LENGTH = 8_000;

const pagePostTypes = ['text', 'link', 'photo', 'video'] as const;

export const pagePostInput = z
  .strictObject({
    kind: z.enum(pagePostTypes),
    message: sentTextField(MAX_POST_LENGTH)
      .optional()
      .describe('For the kinds text, link and photo. Required for text.'),
    link: publicUrlField.optional().describe('For the kind link. Required.'),
    mediaUrl: publicUrlField.optional().describe('For the kinds photo and video. Required.'),
    description: sentTextField(MAX_POST_LENGTH).optional().describe('For the kind video.'),
  })
  .superRefine((post, context) => {
    const rule = rules[post.kind];
    if (rule === undefined) return;
    for (const name of rule.needs) if (post[name] === undefined) context.addIssue({ ...missing(name, post.kind) });
    for (const name of fieldNames) {
      if (post[name] !== undefined && !rule.takes.includes(name)) context.addIssue({ ...surplus(name, post.kind) });
    }
  }, evenIfFieldsFail)
  .meta({ id: 'PageappPostInput' });
export type PagePostInput = z.output<typeof pagePostInput>;

const fieldNames = ['message', 'link', 'mediaUrl', 'description'] as const;
type FieldName = (typeof fieldNames)[number];
interface Rule {
  readonly needs: readonly FieldName[];
  readonly takes: readonly FieldName[];
}
const rules: Readonly<Record<string, Rule | undefined>> = {
  text: { needs: ['message'], takes: ['message'] },
  link: { needs: ['link'], takes: ['message', 'link'] },
  photo: { needs: ['mediaUrl'], takes: ['message', 'mediaUrl'] },
  video: { needs: ['mediaUrl'], takes: ['mediaUrl', 'description'] },
};
interface Issue {
  readonly code: 'custom';
  readonly path: FieldName[];
  readonly message: string;
}
const missing = (name: FieldName, kind: string): Issue => ({
  code: 'custom',
  path: [name],
  message: `required for a post of kind ${kind}`,
});
const surplus = (name: FieldName, kind: string): Issue => ({
  code: 'custom',
  path: [name],
  message: `not allowed for a post of kind ${kind}`,
});

export const pageReelInput = namedObject('PageappReelInput', {
  videoUrl: publicUrlField,
  description: sentTextField(MAX_POST_LENGTH).optional(),
});
export type PageReelInput = z.output<typeof pageReelInput>;

export const pagePublished = namedObject('PageappPublished', {
  channelId: channelIdField,
  postId: platformIdField.describe('Has the form `<page>_<post>`.'),
  mediaId: platformIdField.nullable().describe('The id of the photo, video or reel.'),
  kind: z.enum([...pagePostTypes, 'reel']),
});

export const pagePostDeleted = namedObject('PageappPostDeleted', {
  channelId: channelIdField,
  postId: platformIdField,
  deleted: z.boolean(),
});

export const pageReplyInput = namedObject('PageappReplyInput', {
  message: sentTextField(MAX_REPLY_LENGTH),
  private: z
    .boolean()
    .default(false)
    .describe('Sends a private message to the author. Allowed once per comment, within 7 days.'),
});

export const pagePostSchema = namedObject('PageappPost', {
  id: platformIdField,
  message: z.string().nullable(),
  createdAt: instantField.nullable(),
  permalink: z.string().nullable(),
  type: z.enum(pagePostTypes).nullable().describe('Null for kinds that the API cannot publish.'),
});
export type PagePostBody = z.output<typeof pagePostSchema>;

export const pagePostQuery = z.strictObject(platformPageQuery);
export const pagePostList = namedPage('PageappPostList', { posts: pagePostSchema });

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
export const pageCommentList = namedPage('PageappCommentList', { comments: pageCommentSchema });

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
