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
import { byScope, channelParameter, type RouteDefinition } from '../definitions/route-definition.ts';
import { platformReadErrors, platformWriteErrors } from './platform-errors.ts';

const tag = 'Messages';
const sending = byScope('message.send', { within: 'channel' });

export const messageRoutes = {
  sendMessage: {
    operationId: 'sendMessage',
    summary: 'Sends a message from the channel',
    tag,
    method: 'post',
    path: '/channels/{ch}/messages',
    parameters: { ch: channelParameter },
    access: sending,
    body: messageInput,
    idempotent: true,
    success: { status: 200, body: messageSent },
    errors: platformWriteErrors,
  },
  markMessageRead: {
    operationId: 'markMessageRead',
    summary: 'Marks a message that came in as read',
    tag,
    method: 'post',
    path: '/channels/{ch}/messages/{messageId}/read',
    parameters: {
      ch: channelParameter,
      messageId: {
        kind: 'platformId',
        pattern: messageIdPattern,
        description: 'The message, as its event named it; encoded where it has other characters than a path.',
      },
    },
    access: sending,
    body: readInput,
    success: { status: 200, body: messageRead },
    errors: platformReadErrors,
  },
  showTyping: {
    operationId: 'showTyping',
    summary: 'Shows the person that an answer is being written, for some 25 seconds or until it is sent',
    tag,
    method: 'post',
    path: '/channels/{ch}/typing',
    parameters: { ch: channelParameter },
    access: sending,
    body: typingInput,
    problems: misfittingTyping,
    success: { status: 200, body: typingShown },
    errors: platformReadErrors,
  },
} as const satisfies Record<string, RouteDefinition>;
