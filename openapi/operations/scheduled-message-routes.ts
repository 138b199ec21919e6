import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import {
  scheduledMessageChange,
  scheduledMessageInput,
  scheduledMessageList,
  scheduledMessageListQuery,
  scheduledMessageSchema,
} from './scheduled-message-schema.ts';

const path = '/channels/{ch}/scheduled-messages';
/** Reading needs `message.send`, too, because it shows what was not sent yet. */
const sending = byScope('message.send', { within: 'channel' });

export const scheduledMessageRoutes = defineRoutes('Scheduled messages', {
  scheduleMessage: {
    route: `POST ${path}`,
    summary: 'Schedules a message, which is sent once at its time',
    description:
      'The content is encrypted and erased when the message ends. The message is sent even if the credential that ' +
      'scheduled it has been revoked by then. If the channel is disconnected or moved at that time, it fails.',
    access: sending,
    body: scheduledMessageInput,
    idempotent: true,
    location: 'The scheduled message.',
    status: 202,
    answer: scheduledMessageSchema,
    errors: ['CHANNEL_DISCONNECTED', 'CREDENTIAL_REFUSED', 'LIMIT_REACHED'],
  },
  listScheduledMessages: {
    route: `GET ${path}`,
    summary: 'Lists the scheduled messages of the channel, newest first',
    remarks: 'Without their content.',
    access: sending,
    query: scheduledMessageListQuery,
    answer: scheduledMessageList,
  },
  getScheduledMessage: {
    route: `GET ${path}/{sm}`,
    summary: 'Returns a scheduled message with its content',
    remarks: 'The content is null once the message has ended.',
    access: sending,
    answer: scheduledMessageSchema,
  },
  changeScheduledMessage: {
    route: `PATCH ${path}/{sm}`,
    summary: 'Changes the time or the content of a message that is not sent yet',
    remarks: 'Fails once the send has begun.',
    access: sending,
    body: scheduledMessageChange,
    answer: scheduledMessageSchema,
    errors: ['CHANNEL_DISCONNECTED', 'CREDENTIAL_REFUSED', 'MESSAGE_NOT_SCHEDULED'],
  },
  cancelScheduledMessage: {
    route: `POST ${path}/{sm}/cancel`,
    summary: 'Cancels a message that is not sent yet',
    remarks: 'Fails once the send has begun.',
    access: sending,
    answer: scheduledMessageSchema,
    errors: ['MESSAGE_NOT_SCHEDULED'],
  },
});
