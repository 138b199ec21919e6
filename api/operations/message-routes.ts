import { channelTypes } from '../../contract/event-types.ts';
import { messageRoutes as routes } from '../../openapi/operations/message-routes.ts';
import { markRead, sendMessage, showTyping } from '../../platform/operations/messages.ts';
import type { Mount } from '../routing/mount-route.ts';
import { mountPlatformOperation } from './platform-operation.ts';

const types = channelTypes;
const CHECK_MESSAGE = 'Look at the conversation, or wait for the status event of the message, first.';

export function mountMessageRoutes(mount: Mount): void {
  mountPlatformOperation(mount, routes.sendMessage, {
    types,
    check: CHECK_MESSAGE,
    act: async (client, { channel, body }) => ({ channelId: channel.publicId, ...(await sendMessage(client, body)) }),
  });

  mountPlatformOperation(mount, routes.markMessageRead, {
    types,
    act: async (client, { channel, params, body }) => {
      await markRead(client, { messageId: params.messageId, to: body.to });
      return { channelId: channel.publicId, messageId: params.messageId, read: true };
    },
  });

  mountPlatformOperation(mount, routes.showTyping, {
    types,
    act: async (client, { channel, body }) => {
      const { to, messageId } = body;
      if (to !== undefined) await showTyping(client, { to });
      if (messageId !== undefined) await showTyping(client, { messageId });
      return { channelId: channel.publicId, typing: true };
    },
  });
}
