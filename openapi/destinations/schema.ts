import { z } from 'zod';
import { destinationOrderings, destinationTypes } from '../../contract/deliveries/status.ts';
import { MAX_KEPT_SHOWN } from '../../contract/destinations/pending-deliveries.ts';
import { optionNames, optionsInput } from '../definitions/destination-options.ts';
import { evenIfFieldsFail, givenInstant, idField, instantField, namedObject } from '../definitions/fields.ts';
import type { UnvalidatedInput } from '../definitions/route-definition.ts';
import { MAX_LISTENERS } from '../../contract/listeners/bounds.ts';
import { MAX_SUBSCRIPTIONS } from '../definitions/destination-fields.ts';
import { destinationHealthSchema } from '../staff/schema.ts';

export const channelDestinationsSchema = namedObject('ChannelDestinations', {
  destinations: z
    .array(destinationHealthSchema)
    .describe(
      `All destinations without pages: the webhook, up to ${MAX_SUBSCRIPTIONS} subscriptions, up to ` +
        `${MAX_LISTENERS} listeners, and the latest ${MAX_KEPT_SHOWN} kept URLs.`,
    ),
});

const changeNames = ['ordering', 'sendsTraceParent'] as const;

export const destinationChange = z
  .strictObject({
    destination: z
      .string()
      .regex(/^(webhook|sub_[A-Za-z0-9]{8})$/, 'must be webhook or the id of a subscription')
      .describe('`webhook`, or the id of a subscription.'),
    ordering: z
      .enum(destinationOrderings)
      .optional()
      .describe(
        '`conversation`: a failing delivery holds back later ones of its conversation. `none`: deliveries do not wait for each other.',
      ),
    sendsTraceParent: z.boolean().optional().describe('Whether deliveries of sampled events carry `traceparent`.'),
    ...optionsInput,
  })
  .refine((change) => [...changeNames, ...optionNames].some((name) => change[name] !== undefined), {
    message: `requires at least one of ${[...changeNames, ...optionNames].join(', ')}`,
    ...evenIfFieldsFail,
  })
  .meta({ id: 'ChannelDestinationChange', minProperties: 2 });

export type DestinationChangeInput = z.output<typeof destinationChange>;

const MAX_BUCKETS = 500;
export const DEFAULT_BUCKETS = 60;
const DEFAULT_SPAN_MS = 60 * 60_000;
/** Longer than the default retention. */
const MAX_SPAN_MS = 366 * 24 * 60 * 60_000;

export const statisticsQuery = z.strictObject({
  since: givenInstant.optional().describe('Start of the time range; one hour before its end by default.'),
  until: givenInstant.optional().describe('End of the time range; now by default.'),
  buckets: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_BUCKETS)
    .optional()
    .describe(`Number of buckets of equal length; ${DEFAULT_BUCKETS} by default.`),
});

interface GivenSpan {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export function statisticsSpan({ since, until }: GivenSpan, nowMs: number) {
  const untilMs = until === undefined ? nowMs : Date.parse(until);
  const sinceMs = since === undefined ? untilMs - DEFAULT_SPAN_MS : Date.parse(since);
  return { sinceMs, untilMs, spanMs: untilMs - sinceMs };
}

export function misfittingSpan({ query, nowMs }: UnvalidatedInput): string[] {
  const [since, until] = [query.since, query.until].map((end) => (typeof end === 'string' ? end : undefined));
  const { spanMs } = statisticsSpan({ since, until }, nowMs);
  if (spanMs <= 0) return ['query.until: must be after since'];
  return spanMs > MAX_SPAN_MS ? ['query.since: must be within a year before until'] : [];
}

const bucketSchema = namedObject('StatisticsBucket', {
  at: instantField.describe('Start of the bucket.'),
  deliveries: z.int().describe('Deliveries whose event was received in the bucket.'),
  delivered: z.int().describe('Those that are delivered.'),
  failed: z.int().describe('Those that are exhausted.'),
  waiting: z.int().describe('Those that are waiting.'),
  failedAttempts: z.int().describe('Attempts in the bucket that were not accepted, also those of earlier deliveries.'),
  latencyMs: z
    .strictObject({ p50: z.number(), p95: z.number() })
    .nullable()
    .describe('From the acceptance of the event to the end of the accepted attempt; null without any.'),
});

export const statisticsSchema = namedObject('ChannelStatistics', {
  since: instantField,
  until: instantField,
  bucketSeconds: z.number(),
  isComplete: z
    .boolean()
    .describe(
      'False if the range has more deliveries than can be counted, or more than 60 destinations. The newest are counted.',
    ),
  destinations: z.array(
    z.strictObject({
      type: z.enum(destinationTypes),
      url: z.string().nullable().describe('Null for a listener, and for the webhook in a portal.'),
      label: z.string().nullable(),
      subscriptionId: idField('subscription', 'The id, if the destination is a subscription.').nullable(),
      isDeleted: z.boolean().describe('Whether the destination was deleted since.'),
      buckets: z
        .array(bucketSchema)
        .describe('All buckets of the time range, oldest first. A bucket without deliveries has zeros.'),
    }),
  ),
});
export type StatisticsBody = z.output<typeof statisticsSchema>;
