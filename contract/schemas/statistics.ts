import { z } from 'zod';
import { destinationTypes } from '../delivery-status.ts';
import { idField, instantField } from './fields.ts';
import { destinationHealthSchema } from './staff.ts';

export const channelDestinationsSchema = z
  .strictObject({ destinations: z.array(destinationHealthSchema) })
  .meta({ id: 'ChannelDestinations' });

/** More than any screen has room for. */
const MAX_BUCKETS = 500;
export const DEFAULT_BUCKETS = 60;
export const DEFAULT_SPAN_MS = 60 * 60_000;

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
