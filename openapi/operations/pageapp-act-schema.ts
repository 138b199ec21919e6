import { z } from 'zod';
import { evenIfFieldsFail, namedObject } from '../definitions/fields.ts';
import { pagePostTypes } from './pageapp-content-schema.ts';
import { channelIdField, platformIdField, publicUrlField, sentTextField } from './platform-fields.ts';

const MAX_POST_LENGTH = 63_206;
const MAX_REPLY_LENGTH = 8_000;

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
  ...{ code: 'custom', path: [name], message: `required for a post of kind ${kind}` },
});
const surplus = (name: FieldName, kind: string): Issue => ({
  ...{ code: 'custom', path: [name], message: `not allowed for a post of kind ${kind}` },
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
