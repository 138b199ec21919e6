import { z } from 'zod';
import { namedObject, namedPage } from '../definitions/fields.ts';
import { channelIdField, objectIdParameter, platformIdField, platformPageQuery } from './platform-fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import { platformReadErrors } from '../definitions/error-groups.ts';

const templateQuery = z.strictObject({
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
const templateList = namedPage('ChatappTemplateList', { templates: template });
export type TemplateBody = z.output<typeof template>;

const mediaUploaded = namedObject('ChatappMediaUploaded', {
  channelId: channelIdField,
  mediaId: platformIdField.describe('Use it in messages. The platform keeps the file for about 30 days.'),
});

const numberRegistration = z.strictObject({
  pin: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .meta({
      description:
        "The PIN of the number's two-step verification. A number without one gets it. Keep it: the platform asks for it again. The service does not store it.",
      example: '314159',
    }),
});
const numberRegistered = namedObject('ChatappNumberRegistered', {
  channelId: channelIdField,
  registered: z.literal(true),
});

const path = '/channels/{ch}/chatapp';

export const chatappRoutes = defineRoutes('Chatapp', {
  listChatappTemplates: {
    route: `GET ${path}/templates`,
    summary: "Lists the message templates of the number's business account",
    remarks: 'With their status. Only approved templates can be sent.',
    access: byScope('channel.read', { within: 'channel' }),
    query: templateQuery,
    answer: templateList,
    errors: platformReadErrors,
  },
  uploadChatappMedia: {
    route: `POST ${path}/media`,
    summary: 'Uploads a file for messages',
    description: 'Nothing is sent to anyone.',
    access: byScope('message.send', { within: 'channel' }),
    upload: 'The file itself with its Content-Type, or a form with the field `file` and optionally `type`.',
    answer: mediaUploaded,
    errors: [...platformReadErrors, 'MEDIA_REJECTED', 'PLATFORM_OUTCOME_UNKNOWN'],
  },
  downloadChatappMedia: {
    route: `GET ${path}/media/{mediaId}`,
    summary: 'Downloads a media file',
    description: 'Returns a file that was uploaded or received with a message.',
    platformIds: { mediaId: objectIdParameter('The file, by the id in its message.') },
    access: byScope('messages.read', { within: 'channel' }),
    answer: 'file',
    errors: platformReadErrors,
  },
  registerChatappNumber: {
    route: `POST ${path}/registration`,
    summary: 'Registers the number at the platform',
    description:
      'A number that was never registered, or no longer is, receives and sends nothing. Its health has the reason ' +
      '`account_not_registered`. Safe to repeat with the same PIN. The platform allows ten registrations in 72 hours.',
    access: byScope('channel.manage', { within: 'channel', role: 'developer' }),
    body: numberRegistration,
    answer: numberRegistered,
    errors: platformReadErrors,
  },
});
