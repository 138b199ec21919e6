import { z } from 'zod';
import { insightTimes, metricFields } from './insight-schema.ts';
import { nameListField, objectIdField, platformIdField } from './platform-fields.ts';
import { namedObject } from '../definitions/fields.ts';

export const photoAccountQuery = z.strictObject({
  includePublishingLimit: z.enum(['true', 'false']).optional().describe('Whether to return `quota`.'),
});

export const photoAccountSchema = namedObject('PhotoappAccount', {
  accountId: platformIdField,
  username: z.string().nullable(),
  name: z.string().nullable(),
  biography: z.string().nullable(),
  website: z.string().nullable(),
  profilePictureUrl: z.string().nullable(),
  followerCount: z.int().nullable(),
  followingCount: z.int().nullable(),
  mediaCount: z.int().nullable(),
  quota: z
    .strictObject({ used: z.int(), total: z.int(), durationSeconds: z.int().nullable() })
    .nullable()
    .describe('API posts within the duration; null unless requested and known.'),
});
export type PhotoAccountBody = z.output<typeof photoAccountSchema>;

export const photoInsightQuery = z.strictObject({
  mediaId: objectIdField('The media object; the account by default.').optional(),
  metrics: nameListField("Metrics by the platform's names; a common selection by default.").optional(),
  period: z.enum(['day', 'week', 'days_28', 'lifetime']).optional().describe('For the account only.'),
  metricType: z.enum(['total_value', 'time_series']).optional().describe('A total, or a value per period.'),
  breakdown: nameListField('Dimensions to split totals by.').optional(),
  timeframe: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, 'must be one word of lower-case letters, digits and underscores')
    .optional()
    .describe('Required by some demographic metrics.'),
  ...insightTimes,
});
export type PhotoInsightQuery = z.output<typeof photoInsightQuery>;

export const photoInsightSchema = namedObject('PhotoappInsights', {
  target: z.enum(['account', 'media']),
  ...metricFields,
});
export type PhotoInsightBody = z.output<typeof photoInsightSchema>;
