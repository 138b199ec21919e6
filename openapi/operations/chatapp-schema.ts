import { z } from 'zod';
import { nextCursorField } from '../definitions/fields.ts';
import { channelIdField, platformIdField, platformPageQuery } from './platform-fields.ts';

export const templateQuery = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9_]{1,512}$/, 'must be the name of a template: lower-case letters, digits and underscores')
    .optional()
    .meta({ description: 'Filters by name. Returns all languages of the template.' }),
  ...platformPageQuery,
});
export type TemplateQuery = z.output<typeof templateQuery>;

const template = z
  .strictObject({
    id: platformIdField,
    name: z.string(),
    language: z.string().nullable(),
    status: z.string().nullable(),
    category: z.string().nullable(),
    components: z.array(z.record(z.string(), z.unknown())).meta({ description: "In the platform's format." }),
  })
  .meta({ id: 'ChatappTemplate' });
export const templateList = z
  .strictObject({ templates: z.array(template), nextCursor: nextCursorField })
  .meta({ id: 'ChatappTemplateList' });
export type TemplateBody = z.output<typeof template>;

export const mediaUploaded = z
  .strictObject({
    channelId: channelIdField,
    mediaId: platformIdField.meta({
      description: 'Use it in messages. The platform keeps the file for about 30 days.',
    }),
  })
  .meta({ id: 'ChatappMediaUploaded' });

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
export const numberRegistered = z
  .strictObject({ channelId: channelIdField, registered: z.literal(true) })
  .meta({ id: 'ChatappNumberRegistered' });
