import { z } from 'zod';
import { deliveryStates } from '../../contract/channels/delivery-state.ts';
import { attemptOutcomes } from '../../contract/deliveries/status.ts';
import { circuitReasons } from '../../contract/destinations/circuit.ts';
import { overdueReasons } from '../../contract/destinations/overdue.ts';
import { disabledReasons } from '../../contract/destinations/pending-deliveries.ts';
import { idField, instantField, namedObject } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';

const overviewQuery = z.strictObject({
  workspaceId: idField('workspace', 'Only this workspace.').optional(),
});

const counts = {
  deliveries: z
    .int()
    .min(0)
    .meta({ description: 'Deliveries whose event was received in this time.', examples: [120] }),
  delivered: z
    .int()
    .min(0)
    .meta({ description: 'Those that are delivered.', examples: [117] }),
  failed: z
    .int()
    .min(0)
    .meta({ description: 'Those that are exhausted.', examples: [1] }),
  waiting: z
    .int()
    .min(0)
    .meta({ description: 'Those that are waiting.', examples: [2] }),
};

const totalsSchema = namedObject('OverviewTotals', {
  ...counts,
  due: z
    .int()
    .min(0)
    .meta({
      description:
        'Those that are delivered, exhausted, or waiting for more than 10 seconds: the success rate is their delivered share.',
      examples: [120],
    }),
  latencyMs: z
    .strictObject({ p50: z.number(), p95: z.number() })
    .nullable()
    .meta({
      description:
        'From the acceptance of the event to the end of the accepted attempt, of up to 5,000 deliveries at random; null without any.',
      examples: [{ p50: 84.5, p95: 310.2 }],
    }),
  isComplete: z
    .boolean()
    .describe('False if there are more deliveries than can be counted. The newest of each channel are counted.'),
});

const troubledStates = deliveryStates.filter((state) => state !== 'ok');

const lastFailureSchema = namedObject('OverviewFailure', {
  deliveryId: idField('delivery', 'The delivery.'),
  at: instantField.describe('When the attempt started.'),
  outcome: z.enum(attemptOutcomes),
  status: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status of the answer; null without one.', examples: [500] }),
  answer: z
    .string()
    .max(200)
    .nullable()
    .meta({
      description: 'The start of the answer, or the error of the connection.',
      examples: ['upstream is down'],
    }),
});

const troubleSchema = namedObject('TroubledDestination', {
  workspaceId: idField('workspace', 'The workspace of the channel.'),
  channelId: idField('channel', 'The channel.'),
  channelName: z.string().meta({ examples: ['Sunrise Bakery'] }),
  destination: z.string().meta({ description: '`webhook`, or the id of a subscription.', examples: ['webhook'] }),
  label: z.string().nullable(),
  url: z.string().meta({ examples: ['https://example.com/hooks'] }),
  state: z
    .enum(troubledStates as [(typeof troubledStates)[number]])
    .describe(
      '`failing`: the last attempts failed. `circuit_open`: deliveries wait until a probe succeeds. `overdue`: ' +
        'deliveries wait although the circuit is closed. `disabled`: events are skipped. `not_settling`: the service cannot record what the receiver answered.',
    ),
  reason: z.enum([...disabledReasons, ...circuitReasons, ...overdueReasons]).nullable(),
  since: instantField.nullable().describe('When it began; null if it is not known.'),
  lastFailure: lastFailureSchema.nullable().describe('Null if no recent delivery failed.'),
});

const overviewSchema = namedObject('Overview', {
  since: instantField,
  until: instantField.describe('The present. The answer can be some seconds old.'),
  bucketSeconds: z.number().meta({ examples: [3600] }),
  current: totalsSchema.describe('The last 24 hours.'),
  previous: totalsSchema.describe('The 24 hours before.'),
  buckets: z
    .array(namedObject('OverviewBucket', { at: instantField.describe('Start of the hour.'), ...counts }))
    .describe(
      'The last 24 hours by hours of the clock, oldest first. The first and the last can be partial. A bucket without deliveries has zeros.',
    ),
  alerts: z
    .strictObject({ critical: z.int().min(0).max(1_000), warning: z.int().min(0).max(1_000) })
    .describe('Open alerts, at most 1,000 of each severity.'),
  trouble: z.array(troubleSchema).describe('Destinations that need attention, the most urgent first; at most 20.'),
  channels: z
    .strictObject({
      connected: z.int().min(0).max(1_000),
      withDestination: z.int().min(0).max(1_000),
      hasTestEvent: z.boolean().describe('Whether a destination of them has accepted a test event.'),
      hasDelivery: z.boolean().describe('Whether a destination of them has accepted a delivery.'),
      firstId: idField('channel', 'The newest connected one.').nullable(),
      firstWorkspaceId: idField('workspace', 'Its workspace.').nullable(),
    })
    .describe('Connected channels, and those of them that have a destination; at most 1,000 of each.'),
});
export const overviewRoutes = defineRoutes('Organizations', {
  getOverview: {
    route: 'GET /organizations/{org}/overview',
    summary: 'Returns the deliveries of the last 24 hours and what needs attention',
    description:
      'Covers the workspaces that the caller sees: admins of the organization see all, members and keys that are limited ' +
      'to workspaces only theirs.',
    isSlowRead: true,
    access: { ...byScope('deliveries.read', { within: 'organization' }), admitsLimited: true },
    query: overviewQuery,
    answer: overviewSchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
});
