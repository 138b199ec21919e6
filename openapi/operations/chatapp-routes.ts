import { objectIdPattern } from './platform-ids.ts';
import { mediaUploaded, templateList, templateQuery } from './chatapp-schema.ts';
import { byScope, channelParameter, type RouteDefinition } from '../definitions/route-definition.ts';
import { platformReadErrors } from './platform-errors.ts';

const tag = 'Chatapp';
const path = '/channels/{ch}/chatapp';

export const chatappRoutes = {
  listChatappTemplates: {
    operationId: 'listChatappTemplates',
    summary: "Lists the message templates of the number's business account",
    tag,
    method: 'get',
    path: `${path}/templates`,
    parameters: { ch: channelParameter },
    access: byScope('channel.read', { within: 'channel' }),
    query: templateQuery,
    success: { status: 200, body: templateList },
    errors: platformReadErrors,
  },
  uploadChatappMedia: {
    operationId: 'uploadChatappMedia',
    summary: 'Uploads a file for messages; nobody is sent anything by it',
    tag,
    method: 'post',
    path: `${path}/media`,
    parameters: { ch: channelParameter },
    access: byScope('message.send', { within: 'channel' }),
    upload: 'The file by itself, with its own Content-Type; or a form with the field `file`, and `type` if need be.',
    success: { status: 200, body: mediaUploaded },
    errors: platformReadErrors,
  },
  downloadChatappMedia: {
    operationId: 'downloadChatappMedia',
    summary: 'Returns a file that was uploaded or that came with a message',
    tag,
    method: 'get',
    path: `${path}/media/{mediaId}`,
    parameters: {
      ch: channelParameter,
      mediaId: { kind: 'platformId', pattern: objectIdPattern, description: 'The file, as its message named it.' },
    },
    access: byScope('messages.read', { within: 'channel' }),
    success: { status: 200, body: null, file: true },
    errors: platformReadErrors,
  },
} as const satisfies Record<string, RouteDefinition>;
