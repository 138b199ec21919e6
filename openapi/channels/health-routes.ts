import { z } from 'zod';
import {
  accountStatuses,
  healthFailures,
  healthReasonNames,
  healthStatuses,
  nameStatuses,
  qualityRatings,
} from '../../contract/channels/health.ts';
import { idField, instantField, namedObject, namedPage, pageQuery, urlField } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';

const nullableText = (description: string) => z.string().nullable().describe(description);

export const channelHealthSchema = namedObject('AccountHealth', {
  channelId: idField('channel', 'The channel.'),
  status: z
    .enum(healthStatuses)
    .describe(
      'The most serious reason. `unknown`: not checked yet, or the platform did not answer the last three checks.',
    ),
  reasons: z
    .array(
      z.strictObject({
        code: z.enum(healthReasonNames).describe('Ignore unknown codes: new ones may be added.'),
        severity: z.enum(['failing', 'warning', 'unknown']),
        message: z.string(),
      }),
    )
    .describe('The most serious first. Empty if the channel is healthy or not checked yet.'),
  checkedAt: instantField.nullable().describe('When the platform answered last. All fields are as of then.'),
  lastFailure: z
    .strictObject({ code: z.enum(healthFailures), at: instantField })
    .nullable()
    .describe('The latest check, if it had no answer. Null otherwise.'),
  quality: z
    .enum(qualityRatings)
    .nullable()
    .describe('The rating of a chatapp number. `unknown`: not rated yet. Null for other types.'),
  tier: nullableText(
    'How many people a chatapp number may write to first within 24 hours, such as `250`, `1k` or `unlimited`.',
  ),
  throughput: nullableText('How fast a chatapp number may send, such as `standard` or `high`.'),
  accountStatus: z.enum(accountStatuses).nullable().describe('Of a chatapp number.'),
  nameStatus: z.enum(nameStatuses).nullable().describe("Review of a chatapp number's display name."),
  credentialExpiresAt: instantField.nullable().describe('Null if the credential does not expire.'),
  permissions: z
    .strictObject({
      granted: z.array(z.string()).describe("In the platform's words."),
      missing: z.array(z.string()).describe('Those that the service asks customers for.'),
    })
    .nullable()
    .describe('Null if the platform does not list them.'),
  subscription: z
    .strictObject({
      fields: z.array(z.string()).describe("Of a Page, in the platform's words. Empty for a number."),
      missing: z.array(z.string()).describe('Those that the platform refuses.'),
    })
    .nullable()
    .describe('The events that the platform sends. Null if it does not show them.'),
  businessAccountId: nullableText('The business account of a chatapp number at the platform.'),
  name: nullableText('The name at the platform, which may differ from `displayName` of the channel.'),
  username: nullableText('Of a photoapp account or a Page.'),
  pictureUrl: urlField
    .nullable()
    .describe(
      'A link of the platform, which expires after some days. Each check replaces it. Do not store it: copy the picture or read the link again.',
    ),
});
export const channelHealthQuery = z.strictObject({
  status: z.enum(healthStatuses).optional().describe('Filters by status.'),
  ...pageQuery,
});
const channelHealthListSchema = namedPage('AccountHealthList', { channels: channelHealthSchema });

export const channelHealthRoutes = defineRoutes('Channel health', {
  getAccountHealth: {
    route: 'GET /channels/{ch}/health',
    summary: "Returns what the platform says about the channel's account",
    description: 'From the last check. For the health of destinations, list the destinations of the channel.',
    access: byScope('channel.read', { within: 'channel' }),
    answer: channelHealthSchema,
  },
  refreshAccountHealth: {
    route: 'POST /channels/{ch}/health/refresh',
    summary: "Checks the channel's account at the platform now",
    description:
      'Waits for the check. Within a minute of the last check it returns the stored result, so it is safe to repeat. ' +
      'If the platform does not answer, `lastFailure` says so, and the other fields are those of the check before.',
    access: byScope('channel.manage', { within: 'channel', role: 'developer' }),
    share: 'interactive',
    answer: channelHealthSchema,
    errors: ['CHANNEL_DISCONNECTED', 'WORKFLOW_UNAVAILABLE'],
  },
  listAccountHealth: {
    route: 'GET /workspaces/{ws}/channel-health',
    summary: 'Lists the health of the channels of a workspace, newest channels first',
    remarks: 'Returns the last check of each channel without asking the platform.',
    access: byScope('channel.read', { within: 'workspace' }),
    query: channelHealthQuery,
    answer: channelHealthListSchema,
  },
});
