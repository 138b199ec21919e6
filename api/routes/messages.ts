import { channelTypes } from '../../contract/event-types.ts';
import { messageRoutes as routes } from '../../contract/routes/messages.ts';
import { markRead, sendMessage, showTyping } from '../../platform/operations/messages.ts';
import { InvalidRequest } from '../errors.ts';
import type { Mount } from '../operation.ts';
import { mountPlatformOperation } from '../platform-operation.ts';

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
      if (client.type === 'chatapp') {
        if (messageId === undefined) throw new InvalidRequest('body.messageId: is needed on a chatapp channel.');
        await showTyping(client, { messageId });
      } else {
        if (to === undefined) throw new InvalidRequest(`body.to: is needed on a ${client.type} channel.`);
        await showTyping(client, { to });
      }
      return { channelId: channel.publicId, typing: true };
    },
  });
}
