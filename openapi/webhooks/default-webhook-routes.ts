import { z } from 'zod';
import { rolloutOutcomes, rolloutReasons, rolloutStatuses, rolloutTriggers } from '../../contract/webhooks/rollout.ts';
import {
  idField,
  instantField,
  listQuery,
  namedObject,
  namedPage,
  pageQuery,
  urlField,
} from '../definitions/fields.ts';
import { webhookVerificationSchema } from './probe-schema.ts';
import { verifyTokenField } from './schema.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { workflowErrors } from '../definitions/error-groups.ts';
import { byScope } from '../definitions/route-definition.ts';

const defaultWebhookInput = namedObject('DefaultWebhookInput', {
  webhookUrl: urlField,
  verifyToken: verifyTokenField.describe(
    'Used by the ownership probes of the default and of each channel that gets it. Never shown again.',
  ),
});

const defaultWebhookSchema = namedObject('DefaultWebhook', {
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
const rolloutInput = namedObject('WebhookRolloutInput', {
  dryRun: z
    .boolean()
    .default(false)
    .describe('Whether to record what would happen to each channel, without probes or changes.'),
  replaceOwn: z.boolean().default(false).describe('Whether to replace the webhooks that channels have of their own.'),
});

const count = z.int().min(0);

const rolloutSchema = namedObject('WebhookRollout', {
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
const rolloutListSchema = namedPage('WebhookRolloutList', { rollouts: rolloutSchema });

const rolloutResultQuery = z.strictObject({
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
const rolloutResultListSchema = namedPage('WebhookRolloutResultList', { results: rolloutResultSchema });

const ofOrganization = byScope('webhook.manage', { within: 'organization', role: 'admin' });
const ofWorkspace = byScope('webhook.manage', { within: 'workspace', role: 'admin' });

const put = {
  body: defaultWebhookInput,
  answer: defaultWebhookSchema,
  errors: ['WEBHOOK_CONFIG_CHANGED', 'WEBHOOK_URL_VERIFICATION_FAILED', 'URL_NOT_ALLOWED', ...workflowErrors],
} as const;
const apply = {
  body: rolloutInput,
  idempotent: true,
  status: 202,
  answer: rolloutSchema,
  errors: ['DEFAULT_WEBHOOK_NOT_SET', 'ROLLOUT_RUNNING'],
} as const;
const list = { query: listQuery, answer: rolloutListSchema } as const;
const results = { query: rolloutResultQuery, answer: rolloutResultListSchema } as const;
const cancel = { status: 202, answer: rolloutSchema, errors: ['ROLLOUT_ENDED'] } as const;

export const defaultWebhookRoutes = defineRoutes('Default webhooks', {
  getOrganizationDefaultWebhook: {
    route: 'GET /organizations/{org}/default-webhook',
    summary: "Returns the organization's default webhook",
    description: 'New channels get it, unless their workspace has its own.',
    access: ofOrganization,
    answer: defaultWebhookSchema,
  },
  putOrganizationDefaultWebhook: {
    route: 'PUT /organizations/{org}/default-webhook',
    summary: "Sets the organization's default webhook after two successful probes",
    description: 'Existing channels keep their webhooks until you apply it.',
    access: ofOrganization,
    share: 'interactive',
    ...put,
  },
  deleteOrganizationDefaultWebhook: {
    route: 'DELETE /organizations/{org}/default-webhook',
    summary: "Deletes the organization's default webhook",
    description: 'Channels keep the webhooks that they have.',
    access: ofOrganization,
  },
  applyOrganizationDefaultWebhook: {
    route: 'POST /organizations/{org}/default-webhook/apply',
    summary: "Applies the organization's default webhook to existing channels",
    description: 'Each channel is probed. Channels of workspaces with their own default are skipped.',
    access: ofOrganization,
    ...apply,
  },
  listOrganizationRollouts: {
    route: 'GET /organizations/{org}/default-webhook/rollouts',
    summary: "Lists the rollouts of the organization's default webhook, newest first",
    remarks: 'A rollout applies a default webhook to existing channels.',
    access: ofOrganization,
    ...list,
  },
  getOrganizationRollout: {
    route: 'GET /organizations/{org}/default-webhook/rollouts/{dwr}',
    summary: "Returns a rollout of the organization's default webhook with its progress",
    remarks: 'Counts the channels by outcome.',
    access: ofOrganization,
    answer: rolloutSchema,
  },
  listOrganizationRolloutResults: {
    route: 'GET /organizations/{org}/default-webhook/rollouts/{dwr}/results',
    summary: "Lists the channels of an organization's rollout with their results",
    remarks: 'Says for each channel what was done, and why it was skipped or failed.',
    access: ofOrganization,
    ...results,
  },
  cancelOrganizationRollout: {
    route: 'POST /organizations/{org}/default-webhook/rollouts/{dwr}/cancel',
    summary: "Cancels a rollout of the organization's default webhook",
    description: 'Channels that already got it keep it.',
    access: ofOrganization,
    ...cancel,
  },
  getWorkspaceDefaultWebhook: {
    route: 'GET /workspaces/{ws}/default-webhook',
    summary: "Returns the workspace's default webhook",
    description: "It takes precedence over the organization's.",
    access: ofWorkspace,
    answer: defaultWebhookSchema,
  },
  putWorkspaceDefaultWebhook: {
    route: 'PUT /workspaces/{ws}/default-webhook',
    summary: "Sets the workspace's default webhook after two successful probes",
    description: 'Existing channels keep their webhooks until you apply it.',
    access: ofWorkspace,
    share: 'interactive',
    ...put,
  },
  deleteWorkspaceDefaultWebhook: {
    route: 'DELETE /workspaces/{ws}/default-webhook',
    summary: "Deletes the workspace's default webhook",
    description: 'Channels keep the webhooks that they have.',
    access: ofWorkspace,
  },
  applyWorkspaceDefaultWebhook: {
    route: 'POST /workspaces/{ws}/default-webhook/apply',
    summary: "Applies the workspace's default webhook to existing channels",
    description: 'Each channel is probed.',
    access: ofWorkspace,
    ...apply,
  },
  listWorkspaceRollouts: {
    route: 'GET /workspaces/{ws}/default-webhook/rollouts',
    summary: "Lists the rollouts of the workspace's default webhook, newest first",
    remarks: 'A rollout applies a default webhook to existing channels.',
    access: ofWorkspace,
    ...list,
  },
  getWorkspaceRollout: {
    route: 'GET /workspaces/{ws}/default-webhook/rollouts/{dwr}',
    summary: "Returns a rollout of the workspace's default webhook with its progress",
    remarks: 'Counts the channels by outcome.',
    access: ofWorkspace,
    answer: rolloutSchema,
  },
  listWorkspaceRolloutResults: {
    route: 'GET /workspaces/{ws}/default-webhook/rollouts/{dwr}/results',
    summary: "Lists the channels of a workspace's rollout with their results",
    remarks: 'Says for each channel what was done, and why it was skipped or failed.',
    access: ofWorkspace,
    ...results,
  },
  cancelWorkspaceRollout: {
    route: 'POST /workspaces/{ws}/default-webhook/rollouts/{dwr}/cancel',
    summary: "Cancels a rollout of the workspace's default webhook",
    description: 'Channels that already got it keep it.',
    access: ofWorkspace,
    ...cancel,
  },
});
