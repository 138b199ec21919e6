import { z } from 'zod';
import { destinationOrderings, destinationTypes } from '../../contract/deliveries/status.ts';
import { MAX_KEPT_SHOWN } from '../../contract/destinations/pending-deliveries.ts';
import type { GivenInput } from '../definitions/route-definition.ts';
import { MAX_LISTENERS } from '../../contract/listeners/bounds.ts';
import { idField, instantField } from '../definitions/fields.ts';
import { destinationHealthSchema } from '../staff/schema.ts';
import { MAX_SUBSCRIPTIONS } from '../subscriptions/schema.ts';

export const channelDestinationsSchema = z
  .strictObject({
    destinations: z.array(destinationHealthSchema).meta({
      description:
        `No more than there can be, and so without pages: the webhook, ${MAX_SUBSCRIPTIONS} subscriptions, ` +
        `${MAX_LISTENERS} listeners, and the last ${MAX_KEPT_SHOWN} old URLs that were kept.`,
    }),
  })
  .meta({ id: 'ChannelDestinations' });

export const destinationChange = z
  .strictObject({
    destination: z
      .string()
      .regex(/^(webhook|sub_[A-Za-z0-9]{8})$/, 'must be webhook or the id of a subscription')
      .meta({ description: '`webhook`, or the id of a subscription. A listener is always read in order.' }),
    ordering: z.enum(destinationOrderings).meta({
      description:
        '`conversation`: a failing delivery holds back what follows it in its conversation. `none`: nothing waits for anything.',
    }),
  })
  .meta({ id: 'ChannelDestinationChange' });

/** More than any screen has room for. */
const MAX_BUCKETS = 500;
export const DEFAULT_BUCKETS = 60;
const DEFAULT_SPAN_MS = 60 * 60_000;
/** As long as deliveries are kept by default, and then some: a longer span is a slip. */
const MAX_SPAN_MS = 366 * 24 * 60 * 60_000;

export const statisticsQuery = z.strictObject({
  since: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Beginning of the span; an hour before its end unless given.' }),
  until: z.iso.datetime({ offset: true }).optional().meta({ description: 'End of the span; now unless given.' }),
  buckets: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_BUCKETS)
    .optional()
    .meta({ description: `Parts of equal length that the span is cut into; ${DEFAULT_BUCKETS} unless given.` }),
});

interface GivenSpan {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The span that is meant, with what stands for an end that is left out. */
export function statisticsSpan({ since, until }: GivenSpan, nowMs: number) {
  const untilMs = until === undefined ? nowMs : Date.parse(until);
  const sinceMs = since === undefined ? untilMs - DEFAULT_SPAN_MS : Date.parse(since);
  return { sinceMs, untilMs, spanMs: untilMs - sinceMs };
}

export function misfittingSpan({ query, nowMs }: GivenInput): string[] {
  const [since, until] = [query.since, query.until].map((end) => (typeof end === 'string' ? end : undefined));
  const { spanMs } = statisticsSpan({ since, until }, nowMs);
  if (spanMs <= 0) return ['query.until: must be after since'];
  return spanMs > MAX_SPAN_MS ? ['query.since: must be within a year before until'] : [];
}

const bucketSchema = z
  .strictObject({
    at: instantField.meta({ description: 'When it begins.' }),
    deliveries: z.int().meta({ description: 'Deliveries whose event came in it.' }),
    delivered: z.int().meta({ description: 'Of these, those that have arrived.' }),
    failed: z.int().meta({ description: 'Of these, those that are exhausted.' }),
    waiting: z.int().meta({ description: 'Of these, those that wait.' }),
    failedAttempts: z.int().meta({ description: 'Attempts of these that were not accepted.' }),
    latencyMs: z
      .strictObject({ p50: z.number(), p95: z.number() })
      .nullable()
      .meta({ description: 'From the acceptance of the event to the end of the accepted attempt; null where none.' }),
  })
  .meta({ id: 'StatisticsBucket' });

export const statisticsSchema = z
  .strictObject({
    since: instantField,
    until: instantField,
    bucketSeconds: z.number(),
    isComplete: z.boolean().meta({
      description: 'False where the span holds more deliveries than are counted at once: the youngest are counted.',
    }),
    destinations: z.array(
      z.strictObject({
        type: z.enum(destinationTypes),
        url: z.string().nullable(),
        label: z.string().nullable(),
        subscriptionId: idField('subscription', 'Where it is one.').nullable(),
        buckets: z.array(bucketSchema).meta({ description: 'Those with any delivery, oldest first.' }),
      }),
    ),
  })
  .meta({ id: 'ChannelStatistics' });
export type StatisticsBody = z.output<typeof statisticsSchema>;
