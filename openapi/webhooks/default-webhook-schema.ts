import { z } from 'zod';
import { rolloutOutcomes, rolloutReasons, rolloutStatuses, rolloutTriggers } from '../../contract/webhooks/rollout.ts';
import { idField, instantField, namedObject, nextCursorField, pageQuery, urlField } from '../definitions/fields.ts';
import { webhookVerificationSchema } from './probe-schema.ts';
import { verifyTokenField } from './schema.ts';

export const defaultWebhookInput = namedObject('DefaultWebhookInput', {
  webhookUrl: urlField,
  verifyToken: verifyTokenField.describe(
    'Used by the ownership probes of the default and of each channel that gets it. Never shown again.',
  ),
});

export const defaultWebhookSchema = namedObject('DefaultWebhook', {
  organizationId: idField('organization', 'The organization.'),
  workspaceId: idField('workspace', 'The workspace.').nullable().describe("Null for the organization's default."),
  webhookUrl: urlField.nullable().describe('Null if no default is set.'),
  verifiedAt: instantField.nullable().describe('When both probes passed.'),
  inheritedWebhookUrl: urlField
    .nullable()
    .describe("The organization's default, which a workspace without its own uses. Null for an organization."),
  lastVerification: webhookVerificationSchema
    .nullable()
    .describe('What the probes of the last finished save found, also if it was refused.'),
});
export type DefaultWebhookBody = z.output<typeof defaultWebhookSchema>;

export const rolloutInput = namedObject('WebhookRolloutInput', {
  dryRun: z
    .boolean()
    .default(false)
    .describe('Whether to record what would happen to each channel, without probes or changes.'),
  replaceOwn: z.boolean().default(false).describe('Whether to replace the webhooks that channels have of their own.'),
});

const count = z.int().min(0);

export const rolloutSchema = namedObject('WebhookRollout', {
  rolloutId: idField('webhookRollout', 'The rollout.'),
  workspaceId: idField('workspace', 'The workspace.')
    .nullable()
    .describe("Null for a rollout of the organization's default."),
  webhookUrl: urlField,
  trigger: z
    .enum(rolloutTriggers)
    .describe('`requested`: applied to all channels. `connected`: a new channel gets the default.'),
  channelId: idField('channel', 'The channel.').nullable().describe('The new channel; null for all channels.'),
  dryRun: z.boolean(),
  replaceOwn: z.boolean(),
  status: z.enum(rolloutStatuses),
  total: count.describe('Channels that were connected when the rollout was created.'),
  applied: count.describe('Channels that got the default, or would get it in a dry run.'),
  unchanged: count.describe('Channels that already had the same URL and Verify Token.'),
  skipped: count,
  failed: count,
  createdAt: instantField,
  endedAt: instantField.nullable(),
  workflowId: z.string(),
});
export type RolloutBody = z.output<typeof rolloutSchema>;

export const rolloutListQuery = z.strictObject(pageQuery);
export const rolloutListSchema = namedObject('WebhookRolloutList', {
  rollouts: z.array(rolloutSchema),
  nextCursor: nextCursorField,
});

export const rolloutResultQuery = z.strictObject({
  outcome: z.enum(rolloutOutcomes).optional(),
  ...pageQuery,
});

const rolloutResultSchema = namedObject('WebhookRolloutResult', {
  channelId: idField('channel', 'The channel.'),
  workspaceId: idField('workspace', "The channel's workspace, or the workspace of the rollout."),
  displayName: z.string().nullable().describe('Null if the channel has moved out of the workspace of the rollout.'),
  outcome: z.enum(rolloutOutcomes),
  reason: z.enum(rolloutReasons).nullable().describe('Null for `applied` and `unchanged`.'),
  detail: z.string().nullable().describe('Which probe failed, what it expected and what it got.'),
  createdAt: instantField,
});
export type RolloutResultBody = z.output<typeof rolloutResultSchema>;

export const rolloutResultListSchema = namedObject('WebhookRolloutResultList', {
  results: z.array(rolloutResultSchema),
  nextCursor: nextCursorField,
});
