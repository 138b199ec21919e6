import { defineRoutes } from '../definitions/define-routes.ts';
import { objectIdParameter } from './platform-ids.ts';
import { mediaUploaded, templateList, templateQuery } from './chatapp-schema.ts';
import { byScope } from '../definitions/route-definition.ts';
import { platformReadErrors } from '../definitions/error-groups.ts';

const path = '/channels/{ch}/chatapp';

export const chatappRoutes = defineRoutes('Chatapp', {
  listChatappTemplates: {
    route: `GET ${path}/templates`,
    summary: "Lists the message templates of the number's business account",
    access: byScope('channel.read', { within: 'channel' }),
    query: templateQuery,
    answer: templateList,
    errors: platformReadErrors,
  },
  uploadChatappMedia: {
    route: `POST ${path}/media`,
    summary: 'Uploads a file for messages; nobody is sent anything by it',
    access: byScope('message.send', { within: 'channel' }),
    upload: 'The file by itself, with its own Content-Type; or a form with the field `file`, and `type` if need be.',
    answer: mediaUploaded,
    errors: platformReadErrors,
  },
  downloadChatappMedia: {
    route: `GET ${path}/media/{mediaId}`,
    summary: 'Returns a file that was uploaded or that came with a message',
    platformIds: { mediaId: objectIdParameter('The file, as its message named it.') },
    access: byScope('messages.read', { within: 'channel' }),
    answer: 'file',
    errors: platformReadErrors,
  },
});
