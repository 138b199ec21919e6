import { z } from 'zod';
import { rolloutOutcomes, rolloutReasons, rolloutStatuses, rolloutTriggers } from '../../contract/webhooks/rollout.ts';
import { idField, instantField, nextCursorField, pageQuery, urlField } from '../definitions/fields.ts';
import { webhookVerificationSchema } from './probe-schema.ts';
import { verifyTokenField } from './schema.ts';

export const defaultWebhookInput = z
  .strictObject({
    webhookUrl: urlField,
    verifyToken: verifyTokenField.meta({
      description: 'Used by the ownership probes of the default and of each channel that gets it. Never shown again.',
    }),
  })
  .meta({ id: 'DefaultWebhookInput' });

export const defaultWebhookSchema = z
  .strictObject({
    organizationId: idField('organization', 'The organization.'),
    workspaceId: idField('workspace', 'The workspace.')
      .nullable()
      .meta({ description: "Null for the organization's default." }),
    webhookUrl: urlField.nullable().meta({ description: 'Null if no default is set.' }),
    verifiedAt: instantField.nullable().meta({ description: 'When both probes passed.' }),
    inheritedWebhookUrl: urlField.nullable().meta({
      description: "The organization's default, which a workspace without its own uses. Null for an organization.",
    }),
    lastVerification: webhookVerificationSchema.nullable().meta({
      description: 'What the probes of the last finished save found, also if it was refused.',
    }),
  })
  .meta({ id: 'DefaultWebhook' });
export type DefaultWebhookBody = z.output<typeof defaultWebhookSchema>;

export const rolloutInput = z
  .strictObject({
    dryRun: z.boolean().default(false).meta({
      description: 'Whether to record what would happen to each channel, without probes or changes.',
    }),
    replaceOwn: z.boolean().default(false).meta({
      description: 'Whether to replace the webhooks that channels have of their own.',
    }),
  })
  .meta({ id: 'WebhookRolloutInput' });

const count = z.int().min(0);

export const rolloutSchema = z
  .strictObject({
    rolloutId: idField('webhookRollout', 'The rollout.'),
    workspaceId: idField('workspace', 'The workspace.')
      .nullable()
      .meta({ description: "Null for a rollout of the organization's default." }),
    webhookUrl: urlField,
    trigger: z.enum(rolloutTriggers).meta({
      description: '`requested`: applied to all channels. `connected`: a new channel gets the default.',
    }),
    channelId: idField('channel', 'The channel.')
      .nullable()
      .meta({ description: 'The new channel; null for all channels.' }),
    dryRun: z.boolean(),
    replaceOwn: z.boolean(),
    status: z.enum(rolloutStatuses),
    total: count.meta({ description: 'Channels that were connected when the rollout was created.' }),
    applied: count.meta({ description: 'Channels that got the default, or would get it in a dry run.' }),
    unchanged: count.meta({ description: 'Channels that already had the same URL and Verify Token.' }),
    skipped: count,
    failed: count,
    createdAt: instantField,
    endedAt: instantField.nullable(),
    workflowId: z.string(),
  })
  .meta({ id: 'WebhookRollout' });
export type RolloutBody = z.output<typeof rolloutSchema>;

export const rolloutListQuery = z.strictObject(pageQuery);
export const rolloutListSchema = z
  .strictObject({ rollouts: z.array(rolloutSchema), nextCursor: nextCursorField })
  .meta({ id: 'WebhookRolloutList' });

export const rolloutResultQuery = z.strictObject({
  outcome: z.enum(rolloutOutcomes).optional(),
  ...pageQuery,
});

const rolloutResultSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel.'),
    workspaceId: idField('workspace', "The channel's workspace, or the workspace of the rollout."),
    displayName: z
      .string()
      .nullable()
      .meta({ description: 'Null if the channel has moved out of the workspace of the rollout.' }),
    outcome: z.enum(rolloutOutcomes),
    reason: z.enum(rolloutReasons).nullable().meta({ description: 'Null for `applied` and `unchanged`.' }),
    detail: z.string().nullable().meta({ description: 'Which probe failed, what it expected and what it got.' }),
    createdAt: instantField,
  })
  .meta({ id: 'WebhookRolloutResult' });
export type RolloutResultBody = z.output<typeof rolloutResultSchema>;

export const rolloutResultListSchema = z
  .strictObject({ results: z.array(rolloutResultSchema), nextCursor: nextCursorField })
  .meta({ id: 'WebhookRolloutResultList' });
