import { defineRoutes } from '../definitions/define-routes.ts';
import { MESSAGE_ID, messageIdPattern } from './platform-ids.ts';
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
import { messageErrors, platformReadErrors } from '../definitions/error-groups.ts';

const sending = byScope('message.send', { within: 'channel' });

export const messageRoutes = defineRoutes('Messages', {
  sendMessage: {
    route: 'POST /channels/{ch}/messages',
    summary: 'Sends a message',
    remarks: 'Send `to` and `text`, or the content of the platform. The outcome follows as a status event.',
    access: sending,
    body: messageInput,
    idempotent: true,
    answer: messageSent,
    errors: messageErrors,
  },
  markMessageRead: {
    route: 'POST /channels/{ch}/messages/{messageId}/read',
    summary: 'Marks a received message as read',
    remarks: 'Use the id of the message in its event.',
    platformIds: {
      messageId: {
        kind: 'platformId',
        pattern: messageIdPattern,
        expected: MESSAGE_ID,
        description: 'The message, by the id in its event. Percent-encode it.',
      },
    },
    access: sending,
    body: readInput,
    answer: messageRead,
    errors: platformReadErrors,
  },
  showTyping: {
    route: 'POST /channels/{ch}/typing',
    summary: 'Shows a typing indicator for about 25 seconds or until a message is sent',
    remarks: 'A chatapp channel requires `messageId`, other channels `to`.',
    access: sending,
    body: typingInput,
    problems: misfittingTyping,
    answer: typingShown,
    errors: platformReadErrors,
  },
});
