import { z } from 'zod';
import { instantField } from '../definitions/fields.ts';
import { platformIdField } from './platform-fields.ts';

/** A number, or numbers by what they count. */
const metricValue = z.union([z.number(), z.record(z.string(), z.number())]).nullable();

export const metricSchema = z
  .strictObject({
    name: z.string(),
    period: z.string().nullable(),
    values: z.array(
      z.strictObject({
        value: metricValue,
        endTime: instantField.nullable().meta({ description: 'End of the time that it counts; null for a total.' }),
      }),
    ),
    breakdown: z
      .array(z.strictObject({ dimensions: z.record(z.string(), z.string()), value: z.number() }))
      .nullable()
      .meta({ description: 'Parts of the total, where it was asked for in parts.' }),
  })
  .meta({ id: 'InsightMetric' });
export type MetricBody = z.output<typeof metricSchema>;

export const metricFields = {
  targetId: platformIdField,
  metrics: z.array(metricSchema),
  unavailable: z.array(z.string()).meta({
    description: 'Metrics that the platform has no value of here: unknown, too few people, or no data. Not zero.',
  }),
};

/** Seconds are what the platform counts in. */
export const insightTimes = {
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
};
