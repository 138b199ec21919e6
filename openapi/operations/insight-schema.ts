import { z } from 'zod';
import { givenInstant, instantField, namedObject } from '../definitions/fields.ts';
import { platformIdField } from './platform-fields.ts';

const metricValue = z.union([z.number(), z.record(z.string(), z.number())]).nullable();

export const metricSchema = namedObject('InsightMetric', {
  name: z.string(),
  period: z.string().nullable(),
  values: z.array(
    z.strictObject({
      value: metricValue,
      endTime: instantField.nullable().describe('End of the counted period; null for a total.'),
    }),
  ),
  breakdown: z
    .array(z.strictObject({ dimensions: z.record(z.string(), z.string()), value: z.number() }))
    .nullable()
    .describe('Parts of the total, if you requested a breakdown.'),
});
export type MetricBody = z.output<typeof metricSchema>;

export const metricFields = {
  targetId: platformIdField,
  metrics: z.array(metricSchema),
  unavailable: z
    .array(z.string())
    .describe('Metrics without a value: unknown, too few people, or no data. They are not zero.'),
};

export const insightTimes = {
  since: givenInstant.optional().describe('Counts from this time.'),
  until: givenInstant.optional().describe('Counts until this time.'),
};
