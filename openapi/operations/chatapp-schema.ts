import { z } from 'zod';
import { namedObject, nextCursorField } from '../definitions/fields.ts';
import { channelIdField, platformIdField, platformPageQuery } from './platform-fields.ts';

export const templateQuery = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9_]{1,512}$/, 'must be the name of a template: lower-case letters, digits and underscores')
    .optional()
    .describe('Filters by name. Returns all languages of the template.'),
  ...platformPageQuery,
});
export type TemplateQuery = z.output<typeof templateQuery>;

const template = namedObject('ChatappTemplate', {
  id: platformIdField,
  name: z.string(),
  language: z.string().nullable(),
  status: z.string().nullable(),
  category: z.string().nullable(),
  components: z.array(z.record(z.string(), z.unknown())).describe("In the platform's format."),
});
export const templateList = namedObject('ChatappTemplateList', {
  templates: z.array(template),
  nextCursor: nextCursorField,
});
export type TemplateBody = z.output<typeof template>;

export const mediaUploaded = namedObject('ChatappMediaUploaded', {
  channelId: channelIdField,
  mediaId: platformIdField.describe('Use it in messages. The platform keeps the file for about 30 days.'),
});

export const numberRegistration = z.strictObject({
  pin: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .meta({
      description:
        "The PIN of the number's two-step verification. A number without one gets it. Keep it: the platform asks for it again. The service does not store it.",
      example: '314159',
    }),
});
export const numberRegistered = namedObject('ChatappNumberRegistered', {
  channelId: channelIdField,
  registered: z.literal(true),
});
