import { z } from 'zod';
import { circuitReasons } from '../../contract/destinations/circuit.ts';
import { destinationOrderings, destinationTypes } from '../../contract/deliveries/status.ts';
import { channelTypes } from '../../contract/event-types.ts';
import { auditEntrySchema, auditListQuery } from '../audit/schema.ts';
import { deliveryKindQuery, deliverySchema, deliverySummarySchema, deliveryTargetField } from '../deliveries/schema.ts';
import { disabledReasonField } from '../definitions/destination-fields.ts';
import { idField, instantField, nextCursorField, pageQuery, noControlCharacters } from '../definitions/fields.ts';

/** Texts that go into the database, which refuses NUL, and before the eyes of people. */
const lineField = (maxLength: number) =>
  z.string().trim().min(1).max(maxLength).regex(noControlCharacters, 'must have no control characters');
export const reasonField = lineField(500).meta({
  description: "Why, for the audit log: the organization's people read it there.",
});
const instantQuery = z.iso.datetime({ offset: true }).optional();
const timeQuery = {
  since: instantQuery.meta({ description: 'Received at or after.' }),
  until: instantQuery.meta({ description: 'Received before.' }),
};
export const temporalUrlField = z
  .string()
  .nullable()
  .meta({ description: 'In the Temporal UI; null where none is known.' });

const ownerFields = {
  organizationId: idField('organization', 'Whose it is.'),
  organizationName: z.string(),
  workspaceId: idField('workspace', 'The workspace that it was accepted for.'),
  temporalUrl: temporalUrlField.meta({ description: 'Its workflow in the Temporal UI; null where it has none.' }),
};
export const staffDeliverySummarySchema = deliverySummarySchema
  .extend(ownerFields)
  .meta({ id: 'StaffDeliverySummary' });
export type StaffDeliverySummaryBody = z.output<typeof staffDeliverySummarySchema>;
export const staffDeliverySchema = deliverySchema.extend(ownerFields).meta({ id: 'StaffDelivery' });

export const staffDeliveryListQuery = z.strictObject({
  deliveryId: idField('delivery', 'This one.').optional(),
  eventId: idField('event', 'Deliveries of this event.').optional(),
  platformMessageId: lineField(500).optional().meta({ description: "The platform's own id of it." }),
  sender: lineField(200).optional().meta({ description: 'Who sent it, as the platform names them.' }),
  channelId: idField('channel', 'Of this channel.').optional(),
  workspaceId: idField('workspace', 'Accepted for this workspace.').optional(),
  organizationId: idField('organization', 'Accepted for a workspace of this organization.').optional(),
  destination: deliveryTargetField.optional(),
  ...deliveryKindQuery,
  ...timeQuery,
  reason: reasonField,
  ...pageQuery,
});
export type StaffDeliveryListQuery = z.output<typeof staffDeliveryListQuery>;
export const staffDeliveryListSchema = z
  .strictObject({
    deliveries: z.array(staffDeliverySummarySchema),
    nextCursor: nextCursorField.meta({
      description:
        'For the next page. A page may have few records or none and still be followed by others: each looks through a bounded number.',
    }),
  })
  .meta({ id: 'StaffDeliveryList' });

/** Whatever staff look at, they say why. */
export const staffReadQuery = z.strictObject({ reason: reasonField });
export const staffRetryInput = z.strictObject({ reason: reasonField }).meta({ id: 'StaffRetryInput' });
export const staffReplayInput = z
  .strictObject({
    reason: reasonField,
    destination: deliveryTargetField.optional().meta({
      description: "`webhook`, or the id of a subscription or a listener; the delivery's own destination unless given.",
    }),
  })
  .meta({ id: 'StaffReplayInput' });

export const unroutedEventListQuery = z.strictObject({
  type: z.enum(channelTypes).optional(),
  resourceId: lineField(200).optional().meta({ description: "The platform's id of the number, account or Page." }),
  ...timeQuery,
  reason: reasonField,
  ...pageQuery,
});
export const unroutedEventListSchema = z
  .strictObject({
    events: z.array(
      z.strictObject({
        type: z.string().meta({ description: 'The product; empty where the platform named none that we know.' }),
        resourceId: z.string(),
        sizeBytes: z.int(),
        receivedAt: instantField,
      }),
    ),
    nextCursor: nextCursorField,
  })
  .meta({ id: 'UnroutedEventList' });

const waitingField = z
  .strictObject({ pending: z.int(), retrying: z.int() })
  .meta({ description: 'Deliveries that wait, by status; for each destination counted up to 10,000.' });

export const destinationHealthSchema = z
  .strictObject({
    type: z.enum(destinationTypes),
    url: z.string().nullable(),
    label: z.string().nullable(),
    subscriptionId: idField('subscription', 'Where it is one.').nullable(),
    listenerId: idField('listener', 'Where it is one.').nullable(),
    isKept: z.boolean().meta({ description: 'An old URL, kept for the deliveries that waited when it was edited.' }),
    ordering: z.enum(destinationOrderings).meta({
      description: '`conversation`: in order within each conversation; `none`: each event as soon as it can.',
    }),
    enabled: z.boolean(),
    disabledReason: disabledReasonField,
    circuit: z.strictObject({
      state: z.enum(['closed', 'open']),
      reason: z.enum(circuitReasons).nullable(),
      openedAt: instantField.nullable(),
      nextProbeAt: instantField.nullable(),
      temporalUrl: temporalUrlField,
    }),
    consecutiveFailures: z.int(),
    failingSince: instantField.nullable().meta({ description: 'The first failure after the last success.' }),
    lastDeliveredAt: instantField.nullable(),
    lastFailureAt: instantField.nullable(),
    waiting: waitingField,
    oldestWaitingAt: instantField.nullable(),
  })
  .meta({ id: 'DestinationHealth' });
export type DestinationHealthBody = z.output<typeof destinationHealthSchema>;

export const channelHealthSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel.'),
    type: z.enum(channelTypes),
    displayName: z.string(),
    resourceId: z.string(),
    organizationId: ownerFields.organizationId,
    organizationName: z.string(),
    workspaceId: idField('workspace', 'The workspace that it is in.'),
    connected: z.boolean(),
    forwardingEnabled: z.boolean(),
    destinations: z.array(destinationHealthSchema),
    waiting: waitingField,
    oldestWaitingSeconds: z.int().nullable().meta({
      description: 'Age of the oldest delivery that waits; what waits for the reader of a listener is left out.',
    }),
    temporalUrls: z
      .strictObject({ troubled: z.string(), all: z.string() })
      .nullable()
      .meta({ description: "The channel's workflows in the Temporal UI: those that run, and all." }),
  })
  .meta({ id: 'ChannelHealth' });

export const staffAuditListQuery = auditListQuery.extend({ reason: reasonField });
export const staffAuditListSchema = z
  .strictObject({
    entries: z.array(
      auditEntrySchema
        .extend({
          organizationId: idField('organization', 'Where it was done; null for none.').nullable(),
          person: z.string().nullable().meta({ description: 'E-mail address of the person behind a key of staff.' }),
        })
        .meta({ id: 'StaffAuditEntry' }),
    ),
    nextCursor: nextCursorField,
  })
  .meta({ id: 'StaffAuditEntryList' });
