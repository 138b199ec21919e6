import { z } from 'zod';
import { overdueReasons } from '../../contract/destinations/overdue.ts';
import { circuitReasons } from '../../contract/destinations/circuit.ts';
import { destinationOrderings, destinationTypes } from '../../contract/deliveries/status.ts';
import { channelTypes } from '../../contract/event-types.ts';
import { plainPerson } from '../../contract/operations/person-id.ts';
import { auditEntrySchema, auditListQuery } from '../audit/routes.ts';
import { deliveryKindQuery, searchField, senderFilter } from '../deliveries/list-schema.ts';
import { deliverySchema, deliverySummarySchema, deliveryTargetField } from '../deliveries/schema.ts';
import { optionsShown } from '../definitions/destination-options.ts';
import { disabledReasonField } from '../definitions/destination-fields.ts';
import {
  givenInstant,
  idField,
  instantField,
  namedObject,
  nextCursorField,
  noControlCharacters,
  pageQuery,
  visibleLine,
} from '../definitions/fields.ts';
import { type InvariantRule, invariantRules } from '../../contract/upkeep/invariants.ts';

const lineField = (maxLength: number) =>
  z.string().trim().min(1).max(maxLength).regex(noControlCharacters, 'must have no control characters');
export const reasonField = visibleLine(500, z.string().trim()).describe(
  'The reason, which members of the organization can read in the audit log.',
);
const instantQuery = givenInstant.optional();
const timeQuery = {
  since: instantQuery.describe('Received at or after this time.'),
  until: instantQuery.describe('Received before this time.'),
};
export const temporalUrlField = z
  .string()
  .nullable()
  .describe('The URL in the Temporal UI; null if no UI is configured.');

const ownerFields = {
  organizationId: idField('organization', 'The organization.'),
  organizationName: z.string(),
  workspaceId: idField('workspace', 'The workspace of the channel when the event was received.'),
  temporalUrl: temporalUrlField.describe('The workflow in the Temporal UI, or null.'),
};
export const staffDeliverySummarySchema = deliverySummarySchema
  .extend(ownerFields)
  .meta({ id: 'StaffDeliverySummary' });
export const staffDeliverySchema = deliverySchema.extend(ownerFields).meta({ id: 'StaffDelivery' });

const resourceFilter = lineField(200)
  .transform(plainPerson)
  .meta({
    description:
      "The phone number of a channel, or the platform's id of its number, account or Page. A phone number may have its " +
      'plus sign, spaces, dashes and brackets.',
    examples: ['+1 555 123 0000'],
  });

export const staffDeliveryListQuery = z.strictObject({
  deliveryId: idField('delivery', 'Filters by delivery.').optional(),
  eventId: idField('event', 'Filters by event.').optional(),
  platformMessageId: lineField(500).optional().describe("The platform's id of the message."),
  sender: senderFilter.optional(),
  text: searchField.optional().meta({
    description:
      'A text in the body. Needs one of `channelId`, `resourceId`, `workspaceId` and `organizationId`. Bodies have no ' +
      'index, so a page compares at most 2,000 deliveries, or 4 MiB of bodies, and the next page continues there. ' +
      'Bodies over 64 KiB are not compared.',
    examples: ['Is my order on its way?'],
  }),
  channelId: idField('channel', 'Filters by channel.').optional(),
  resourceId: resourceFilter.optional(),
  workspaceId: idField('workspace', 'Filters by workspace.').optional(),
  organizationId: idField('organization', 'Filters by organization.').optional(),
  destination: deliveryTargetField.optional(),
  ...deliveryKindQuery,
  ...timeQuery,
  reason: reasonField,
  ...pageQuery,
});
export type StaffDeliveryListQuery = z.output<typeof staffDeliveryListQuery>;
export const staffDeliveryListSchema = namedObject('StaffDeliveryList', {
  deliveries: z.array(staffDeliverySummarySchema),
  nextCursor: nextCursorField.describe(
    'Pass it as `cursor` to get the next page. A page can be empty and still have a next page, because each page scans a bounded number of records.',
  ),
});

export const staffReadQuery = z.strictObject({ reason: reasonField });
export const staffRetryInput = namedObject('StaffRetryInput', { reason: reasonField });
export const staffReplayInput = namedObject('StaffReplayInput', {
  reason: reasonField,
  destination: deliveryTargetField
    .optional()
    .describe("`webhook`, or the id of a subscription or a listener; the delivery's destination by default."),
});

export const unroutedEventListQuery = z.strictObject({
  type: z.enum(channelTypes).optional(),
  resourceId: lineField(200).optional().describe("The platform's id of the number, account or Page."),
  ...timeQuery,
  reason: reasonField,
  ...pageQuery,
});
export const unroutedEventListSchema = namedObject('UnroutedEventList', {
  events: z.array(
    z.strictObject({
      type: z.string().describe('The product; empty if it is unknown.'),
      resourceId: z.string(),
      sizeBytes: z.int(),
      receivedAt: instantField,
      sentAt: instantField.nullable().describe('When staff sent it on to a channel, or null.'),
    }),
  ),
  nextCursor: nextCursorField,
});

/** Each is committed in turn, to keep the order. */
const MAX_UNROUTED_SENT = 500;
export const DEFAULT_UNROUTED_SENT = 100;
export const unroutedSendInput = namedObject('UnroutedSendInput', {
  reason: reasonField,
  limit: z
    .int()
    .min(1)
    .max(MAX_UNROUTED_SENT)
    .optional()
    .describe(`Events to read at most; ${DEFAULT_UNROUTED_SENT} by default.`),
  cursor: z
    .string()
    .regex(/^cur_[A-Za-z0-9]{12}$/, 'is not a cursor of this call')
    .optional()
    .describe('The previous `nextCursor`. Omit it to begin with the oldest event.'),
});
export const unroutedSentSchema = namedObject('UnroutedSent', {
  channelId: idField('channel', 'The channel.'),
  sentCount: z.int().describe('Events that the channel accepted, or had accepted before.'),
  skippedCount: z
    .int()
    .describe('Events that could not be decrypted or that the channel did not accept. They stay for later calls.'),
  hasMore: z.boolean().describe('Whether more events are left. Call it again with `nextCursor`.'),
  nextCursor: nextCursorField.describe(
    'Pass it as `cursor` to continue after the events of this call. Null if none are left.',
  ),
});

const waitingField = z
  .strictObject({ pending: z.int(), retrying: z.int() })
  .describe('Waiting deliveries by status. The count stops at 10,000 per destination.');

export const destinationHealthSchema = namedObject('DestinationHealth', {
  type: z.enum(destinationTypes),
  url: z.string().nullable().describe('Null for a listener, and for the webhook in a portal.'),
  label: z.string().nullable(),
  subscriptionId: idField('subscription', 'The id, if the destination is one.').nullable(),
  listenerId: idField('listener', 'The id, if the destination is one.').nullable(),
  isKept: z
    .boolean()
    .describe('Whether it is a previous URL, kept for deliveries that were waiting when the URL changed.'),
  ordering: z
    .enum(destinationOrderings)
    .describe('`conversation`: in order within each conversation. `none`: without any order.'),
  sendsTraceParent: z
    .boolean()
    .describe('Whether deliveries of sampled events carry the header `traceparent` (W3C Trace Context).'),
  ...optionsShown,
  enabled: z.boolean(),
  disabledReason: disabledReasonField,
  circuit: z.strictObject({
    state: z.enum(['closed', 'open']),
    reason: z.enum(circuitReasons).nullable(),
    openedAt: instantField.nullable(),
    nextProbeAt: instantField.nullable(),
    temporalUrl: temporalUrlField,
  }),
  consecutiveFailures: z.int().describe('Attempts that failed since the last success, with the probes.'),
  failingSince: instantField.nullable().describe('The first failure after the last success.'),
  notSettlingSince: instantField
    .nullable()
    .describe('Since when the service cannot record what the receiver answered. Null if it can.'),
  overdueSince: instantField
    .nullable()
    .describe('Since when the oldest delivery waits, if it is over two minutes and nothing holds it back.'),
  overdueReason: z
    .enum(overdueReasons)
    .nullable()
    .describe(
      '`behind`: the receiver answers more slowly than events arrive. `not_sent`: the service has sent it nothing for ' +
        'two minutes.',
    ),
  lastDeliveredAt: instantField.nullable(),
  lastFailureAt: instantField.nullable(),
  waiting: waitingField,
  oldestWaitingAt: instantField.nullable(),
});
export const staffChannelListQuery = z.strictObject({
  resourceId: resourceFilter,
  reason: reasonField,
  ...pageQuery,
});
export const staffChannelListSchema = namedObject('StaffChannelList', {
  channels: z.array(
    namedObject('StaffChannel', {
      channelId: idField('channel', 'The channel.'),
      type: z.enum(channelTypes),
      displayName: z.string(),
      resourceId: z.string().describe("The platform's id of the number, account or Page."),
      organizationId: ownerFields.organizationId,
      organizationName: z.string(),
      workspaceId: idField('workspace', 'The workspace of the channel.'),
      connected: z.boolean(),
      createdAt: instantField,
    }),
  ),
  nextCursor: nextCursorField,
});

export const channelHealthSchema = namedObject('ChannelHealth', {
  channelId: idField('channel', 'The channel.'),
  type: z.enum(channelTypes),
  displayName: z.string(),
  resourceId: z.string(),
  organizationId: ownerFields.organizationId,
  organizationName: z.string(),
  workspaceId: idField('workspace', 'The workspace of the channel.'),
  connected: z.boolean(),
  credentialRefusedAt: instantField
    .nullable()
    .describe('Since when the platform refuses calls. Events arrive nevertheless.'),
  forwardingEnabled: z.boolean(),
  destinations: z.array(destinationHealthSchema),
  waiting: waitingField,
  oldestWaitingSeconds: z.int().nullable().describe('Age of the oldest waiting delivery, without those of listeners.'),
  temporalUrls: z
    .strictObject({ troubled: z.string(), all: z.string() })
    .nullable()
    .describe("The channel's workflows in the Temporal UI: the running ones, and all."),
});

export const staffAuditListQuery = auditListQuery.extend({ reason: reasonField });
export const staffAuditListSchema = namedObject('StaffAuditEntryList', {
  entries: z.array(
    auditEntrySchema
      .extend({
        organizationId: idField('organization', 'The affected organization, or null.').nullable(),
        person: z.string().nullable().describe('Email address of the owner of a staff key.'),
      })
      .meta({ id: 'StaffAuditEntry' }),
  ),
  nextCursor: nextCursorField,
});

// `Object.keys` loses the type of the keys.
const rules = Object.keys(invariantRules) as [InvariantRule, ...InvariantRule[]];

export const invariantsSchema = namedObject('Invariants', {
  lastRun: z
    .strictObject({
      startedAt: instantField,
      endedAt: instantField,
      eventCount: z.int().describe('Checked events.'),
      deliveryCount: z.int().describe('Checked deliveries, in addition to all waiting ones.'),
    })
    .nullable()
    .describe('Null before the first check.'),
  rules: z
    .array(
      namedObject('InvariantRule', {
        rule: z.enum(rules),
        description: z.string().describe('Describes a violation.'),
        count: z.int().describe('Number of violations.'),
        samples: z
          .array(z.string())
          .describe('Some affected events, deliveries, replays or containers by id, or destinations by name.'),
      }),
    )
    .describe('All rules; empty before the first check.'),
});
