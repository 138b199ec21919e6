import { chatappRoutes as routes } from '../../openapi/operations/chatapp-routes.ts';
import { downloadFile, listTemplates, uploadFile } from '../../platform/operations/chatapp-content.ts';
import type { Mount } from '../routing/operation.ts';
import { mountPlatformOperation } from './platform-operation.ts';
import { boundedUpload } from './bounded-upload.ts';

const types = ['chatapp'] as const;

export function mountChatappRoutes(mount: Mount): void {
  const { maxUploadBytes: maxBytes } = mount.deps;

  mountPlatformOperation(mount, routes.listChatappTemplates, {
    types,
    act: async (client, { query }) => {
      const { items, nextCursor } = await listTemplates(client, query);
      return { templates: items, nextCursor };
    },
  });

  mountPlatformOperation(mount, routes.uploadChatappMedia, {
    types,
    check: 'Nothing was sent to anyone, and you can upload the file again.',
    act: async (client, { channel, upload }) => {
      const { file, refusal } = boundedUpload(upload, { maxBytes, chatappWord: client.chatappWord });
      const { mediaId } = await uploadFile(client, file).catch((error: unknown) => {
        throw refusal() ?? error;
      });
      return { channelId: channel.publicId, mediaId };
    },
  });

  mountPlatformOperation(mount, routes.downloadChatappMedia, {
    types,
    act: async (client, { params }) => {
      return await downloadFile(client, params.mediaId);
    },
  });
}
