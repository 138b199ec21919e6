import { z } from 'zod';
import { containerStatuses } from '../../contract/containers/status.ts';
import { scheduledMessageStatuses, scheduledPostStatuses } from '../../contract/scheduled/scheduled.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { attemptSchema } from '../deliveries/attempt-schema.ts';
import { deliverySummarySchema } from '../deliveries/schema.ts';
import { idField, instantField, namedObject } from '../definitions/fields.ts';
import { reasonField, senderFields } from './routes.ts';
import { outboundCallSchema } from '../operations/outbound-call-routes.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';

const personExportInput = namedObject('PersonExportInput', { ...senderFields, reason: reasonField });

const channelField = idField('channel', 'The channel.');

const head = z
  .strictObject({
    type: z.literal('export'),
    sender: z.string(),
    personIds: z
      .array(z.string())
      .describe('The sender and the other ids of the same person, such as a user id beside a phone number.'),
    workspaceId: idField('workspace', 'The only workspace.').nullable().describe('Null for all.'),
    channelId: channelField.nullable().describe('Null for all.'),
    createdAt: instantField.describe('What came later is not in the export.'),
  })
  .describe('The first line.');

const event = z.strictObject({
  type: z.literal('event'),
  eventId: idField('event', 'The event.'),
  channelId: channelField,
  workspaceId: idField('workspace', 'The workspace that received it.'),
  eventType: z.enum(eventTypes),
  sender: z
    .string()
    .nullable()
    .describe('Who sent it. Null for a status, and the business for an echo, of a message to the person.'),
  platformMessageId: z.string().nullable(),
  receivedAt: instantField,
  payload: z.string().nullable().describe('The stored bytes; null if they cannot be decrypted.'),
});

const delivery = deliverySummarySchema.extend({ type: z.literal('delivery') });

const attempt = attemptSchema.extend({
  type: z.literal('attempt'),
  deliveryId: idField('delivery', 'The delivery that was attempted.'),
});

const outboundCall = outboundCallSchema
  .extend({ type: z.literal('outbound_call'), channelId: channelField.nullable() })
  .describe('A call to the platform whose path names the person.');

const keptAnswer = z
  .strictObject({
    type: z.literal('kept_answer'),
    channelId: channelField,
    operation: z.string(),
    answer: z.unknown(),
    createdAt: instantField,
  })
  .describe('The answer to a call with an idempotency key, if it names the person.');

const container = z
  .strictObject({
    type: z.literal('container'),
    channelId: channelField,
    containerId: idField('container', 'The container.'),
    status: z.enum(containerStatuses),
    request: z.looseObject({}).describe('Caption, tags and media, as they were requested.'),
    createdAt: instantField,
  })
  .describe('A post whose caption or tags name the person.');

const scheduledPost = z
  .strictObject({
    type: z.literal('scheduled_post'),
    channelId: channelField,
    scheduledPostId: idField('scheduledPost', 'The scheduled post.'),
    status: z.enum(scheduledPostStatuses),
    publishAt: instantField,
    container: z.looseObject({}).describe('Caption, tags and media, as they were requested.'),
    createdAt: instantField,
  })
  .describe('A scheduled post that waits or has started, and whose caption or tags name the person.');

const scheduledMessage = z
  .strictObject({
    type: z.literal('scheduled_message'),
    channelId: channelField,
    scheduledMessageId: idField('scheduledMessage', 'The scheduled message.'),
    status: z.enum(scheduledMessageStatuses),
    sendAt: instantField,
    message: z.looseObject({}).nullable().describe('Null once the message has ended.'),
    createdAt: instantField,
  })
  .describe('A scheduled message to the person.');

const unroutedEvent = z
  .strictObject({
    type: z.literal('unrouted_event'),
    channelId: channelField,
    eventType: z.enum(eventTypes).nullable(),
    receivedAt: instantField,
    payload: z.string().describe('The stored bytes.'),
  })
  .describe("An event that came while the channel's account was not connected, if it names the person.");

const progress = z.strictObject({ type: z.literal('progress') }).describe('Sent if a search takes long. Ignore it.');

const count = z.int().min(0);
const end = z
  .strictObject({
    type: z.literal('end'),
    counts: z.strictObject({
      events: count,
      deliveries: count,
      attempts: count,
      outboundCalls: count,
      keptAnswers: count,
      containers: count,
      scheduledPosts: count,
      scheduledMessages: count,
      unroutedEvents: count,
    }),
  })
  .describe('The last line. Without it the export is incomplete.');

export const personExportLine = z
  .discriminatedUnion('type', [
    head,
    event,
    delivery,
    attempt,
    outboundCall,
    keptAnswer,
    container,
    scheduledPost,
    scheduledMessage,
    unroutedEvent,
    progress,
    end,
  ])
  .meta({ id: 'PersonExportLine' });
export type PersonExportLine = z.input<typeof personExportLine>;
export type ExportCounts = z.output<typeof end>['counts'];

export const exportRoutes = defineRoutes('Erasures', {
  exportPerson: {
    route: 'POST /organizations/{org}/person-exports',
    summary: 'Exports everything that is stored about a sender, as JSON lines',
    description:
      'The response is a file with one record per line. It is complete if its last line has the type `end`; otherwise ' +
      'repeat the request. An erasure of the same sender removes the same records. An organization has one export at a time.',
    access: byPrincipals(notAgents, { within: 'organization', role: 'admin' }),
    body: personExportInput,
    isForPeople: true,
    answer: 'file',
    lines: personExportLine,
    errors: ['WORKSPACE_NOT_FOUND', 'CHANNEL_NOT_FOUND'],
  },
});
