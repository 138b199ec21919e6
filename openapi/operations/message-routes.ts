import { defineRoutes } from '../definitions/define-routes.ts';
import { messageIdPattern } from './platform-ids.ts';
import {
  messageInput,
  messageRead,
  messageSent,
  misfittingTyping,
  readInput,
  typingInput,
  typingShown,
} from './message-schema.ts';
import { byScope } from '../definitions/route-definition.ts';
import { platformReadErrors, platformWriteErrors } from '../definitions/error-groups.ts';

const sending = byScope('message.send', { within: 'channel' });

export const messageRoutes = defineRoutes('Messages', {
  sendMessage: {
    route: 'POST /channels/{ch}/messages',
    summary: 'Sends a message from the channel',
    access: sending,
    body: messageInput,
    idempotent: true,
    answer: messageSent,
    errors: platformWriteErrors,
  },
  markMessageRead: {
    route: 'POST /channels/{ch}/messages/{messageId}/read',
    summary: 'Marks a message that came in as read',
    platformIds: {
      messageId: {
        kind: 'platformId',
        pattern: messageIdPattern,
        description: 'The message, as its event named it; encoded where it has other characters than a path.',
      },
    },
    access: sending,
    body: readInput,
    answer: messageRead,
    errors: platformReadErrors,
  },
  showTyping: {
    route: 'POST /channels/{ch}/typing',
    summary: 'Shows the person that an answer is being written, for some 25 seconds or until it is sent',
    access: sending,
    body: typingInput,
    problems: misfittingTyping,
    answer: typingShown,
    errors: platformReadErrors,
  },
});
