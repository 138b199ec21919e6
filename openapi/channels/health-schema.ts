import { z } from 'zod';
import {
  accountStatuses,
  healthFailures,
  healthReasonNames,
  healthStatuses,
  nameStatuses,
  qualityRatings,
} from '../../contract/channels/health.ts';
import { idField, instantField, nextCursorField, pageQuery, urlField } from '../definitions/fields.ts';

const nullableText = (description: string) => z.string().nullable().meta({ description });

export const channelHealthSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel.'),
    status: z.enum(healthStatuses).meta({
      description:
        'The most serious reason. `unknown`: not checked yet, or the platform did not answer the last three checks.',
    }),
    reasons: z
      .array(
        z.strictObject({
          code: z.enum(healthReasonNames).meta({ description: 'Ignore unknown codes: new ones may be added.' }),
          severity: z.enum(['failing', 'warning', 'unknown']),
          message: z.string(),
        }),
      )
      .meta({ description: 'The most serious first. Empty if the channel is healthy or not checked yet.' }),
    checkedAt: instantField
      .nullable()
      .meta({ description: 'When the platform answered last. All fields are as of then.' }),
    lastFailure: z
      .strictObject({ code: z.enum(healthFailures), at: instantField })
      .nullable()
      .meta({ description: 'The latest check, if it had no answer. Null otherwise.' }),
    quality: z.enum(qualityRatings).nullable().meta({
      description: 'The rating of a chatapp number. `unknown`: not rated yet. Null for other types.',
    }),
    tier: nullableText(
      'How many people a chatapp number may write to first within 24 hours, such as `250`, `1k` or `unlimited`.',
    ),
    throughput: nullableText('How fast a chatapp number may send, such as `standard` or `high`.'),
    accountStatus: z.enum(accountStatuses).nullable().meta({ description: 'Of a chatapp number.' }),
    nameStatus: z.enum(nameStatuses).nullable().meta({ description: "Review of a chatapp number's display name." }),
    credentialExpiresAt: instantField.nullable().meta({ description: 'Null if the credential does not expire.' }),
    permissions: z
      .strictObject({
        granted: z.array(z.string()).meta({ description: "In the platform's words." }),
        missing: z.array(z.string()).meta({ description: 'Those that the service asks customers for.' }),
      })
      .nullable()
      .meta({ description: 'Null if the platform does not list them.' }),
    subscription: z
      .strictObject({
        fields: z.array(z.string()).meta({ description: "Of a Page, in the platform's words. Empty for a number." }),
        missing: z.array(z.string()).meta({ description: 'Those that the platform refuses.' }),
      })
      .nullable()
      .meta({ description: 'The events that the platform sends. Null if it does not show them.' }),
    businessAccountId: nullableText('The business account of a chatapp number at the platform.'),
    name: nullableText('The name at the platform, which may differ from `displayName` of the channel.'),
    username: nullableText('Of a photoapp account or a Page.'),
    pictureUrl: urlField.nullable().meta({
      description:
        'A link of the platform, which expires after some days. Each check replaces it. Do not store it: copy the picture or read the link again.',
    }),
  })
  .meta({ id: 'AccountHealth' });
export type ChannelHealthBody = z.output<typeof channelHealthSchema>;

export const channelHealthQuery = z.strictObject({
  status: z.enum(healthStatuses).optional().meta({ description: 'Filters by status.' }),
  ...pageQuery,
});
export const channelHealthListSchema = z
  .strictObject({ channels: z.array(channelHealthSchema), nextCursor: nextCursorField })
  .meta({ id: 'AccountHealthList' });
