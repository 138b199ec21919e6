import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { routes } from '../../openapi/route-table.ts';
import { inputSchemaOf, type ObjectSchema, objectSchema } from './input-schema.ts';
import { type ArgumentPlan, planArguments } from './tool-arguments.ts';
import type { ErrorCode } from '../../contract/errors.ts';

export interface ToolDefinition {
  readonly route: RouteDefinition;
  readonly plan: ArgumentPlan;
  /** Omits the output schema, which would be most of the list. */
  readonly listing: Tool;
  /** Undefined if the operation returns nothing or a file. */
  readonly outputSchema: ObjectSchema | undefined;
}

/** Excludes endless streams and decisions reserved for people. */
function isTool({ access, eventStream, isForPeople }: RouteDefinition): boolean {
  if (access.auth === 'none' || eventStream || isForPeople) return false;
  return access.principals.includes('api_key') || access.principals.includes('agent');
}

let tools: ReadonlyMap<string, ToolDefinition> | undefined;

/** Returns the tools of all routes by operation. Builds them on the first call to save memory. */
export function everyTool(): ReadonlyMap<string, ToolDefinition> {
  return (tools ??= new Map(routes.filter(isTool).map((route) => [route.operationId, toolOf(route)])));
}

function toolOf(route: RouteDefinition): ToolDefinition {
  const { operationId: name, success } = route;
  const listing: Tool = {
    name,
    description: descriptionOf(route),
    inputSchema: inputSchemaOf(route),
    annotations: annotationsOf(route),
  };
  const outputSchema = success.body ? objectSchema(success.body, 'output') : undefined;
  return { route, plan: planArguments(route), listing, outputSchema };
}

/** Tools that return or replace a secret. */
export const secretTools: ReadonlySet<string> = new Set([
  'getChannelToken',
  'rotateChannelToken',
  'getChannelEnv',
  'getWebhookConfig',
  'putWebhookConfig',
  'getWebhookHmac',
  'rotateWebhookHmac',
  'createOnboardingLink',
  'listOnboardingLinks',
  'getOnboardingLink',
  'changeOnboardingLink',
  'regenerateOnboardingLink',
  'setAlertWebhook',
  'rotateAlertWebhookSecret',
]);

export const nextSteps: Readonly<Record<string, string>> = {
  getSession: 'Start here: returns the organizations. listWorkspaces then returns their workspaces.',
  listWorkspaces: 'Other tools take these ids as workspaceId.',
  listChannels: 'Other tools take these ids as channelId.',
  listDeliveries:
    'With `since` set to your last call, it returns what is new. getDelivery returns the payload and responses.',
  getDelivery: 'retryDelivery sends exhausted, cancelled and skipped deliveries again.',
  putWebhookConfig: 'Afterwards testWebhook sends a sample event.',
  createSubscription: 'Afterwards testSubscription sends a sample event.',
  retryDelivery: 'Returns before the delivery is sent. getDelivery shows its outcome.',
  replayDelivery: 'Returns before the delivery is sent. getDelivery with the new deliveryId shows its outcome.',
  createReplay: 'Call it with dryRun first, which only counts. getReplay shows the progress. pauseReplay stops it.',
  applyOrganizationDefaultWebhook:
    'Call it with dryRun first. getOrganizationRollout shows the progress, listOrganizationRolloutResults each channel.',
  applyWorkspaceDefaultWebhook:
    'Call it with dryRun first. getWorkspaceRollout shows the progress, listWorkspaceRolloutResults each channel.',
  setAlertWebhook: 'Afterwards testAlertWebhook sends a test call.',
  createContainer: 'Wait until getContainer returns `finished`, then call publishContainer. Or set autoPublish.',
  publishContainer: 'After CONTAINER_NOT_READY wait for retryAfter seconds and call again.',
  createListener: 'readListener reads new deliveries, and acknowledgeDeliveries ends them.',
  readListener:
    'Acknowledge the deliveries with acknowledgeDeliveries. Otherwise a read without a cursor returns them again.',
  sendMessage: 'The outcome for the recipient follows as a status event.',
  uploadChatappMedia: 'sendMessage sends it by its mediaId.',
  listAgentCredentials: 'revokeAgentCredential ends one.',
  deleteWorkspace: 'This can’t be undone.',
  disconnectChannel: 'Connecting it again requires an onboarding link and the customer’s consent.',
};

/** Omits scopes, because a key sees only the tools that it allows. */
function descriptionOf(route: RouteDefinition): string {
  const { operationId, summary, description, errors } = route;
  const sentences = [
    `${summary}.`,
    description,
    roleSentence(route),
    secretTools.has(operationId) && 'Returns a secret.',
    errors.includes('PLATFORM_OUTCOME_UNKNOWN') && 'After PLATFORM_OUTCOME_UNKNOWN, check before you repeat it.',
    nextSteps[operationId],
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ');
}

function roleSentence({ access }: RouteDefinition): string | undefined {
  if (access.auth === 'none' || access.role === 'member') return undefined;
  const { role, within } = access;
  const isOrganization = role === 'organization_admin' || within === 'organization' || within === 'person';
  const people = role === 'developer' ? 'developers' : 'admins';
  return `For ${isOrganization ? 'organization' : 'workspace'} ${people}.`;
}

/** Their first call creates a token. */
export const mintingReads: ReadonlySet<string> = new Set(['getChannelToken', 'getChannelEnv']);

/** In addition to all DELETE operations. */
export const destructiveTools: ReadonlySet<string> = new Set([
  'disconnectChannel',
  'disableChannel', // skips pending deliveries
  'rotateChannelToken',
  'rotateWebhookHmac',
  'putWebhookConfig',
  'editSubscription', // may cancel pending deliveries
  'cancelDelivery',
  'cancelReplay',
  'cancelScheduledMessage',
  'cancelScheduledPost',
  'applyOrganizationDefaultWebhook', // may replace the webhooks of channels
  'applyWorkspaceDefaultWebhook',
  'cancelOrganizationRollout',
  'cancelWorkspaceRollout',
  'moderatePhotoappComment',
  'moderatePageappComment',
  'regenerateOnboardingLink',
  'rotateAlertWebhookSecret',
]);

/** In addition to all GET, PUT, PATCH and DELETE operations. */
export const repeatableTools: ReadonlySet<string> = new Set([
  'enableChannel',
  'disableChannel',
  'disconnectChannel',
  'moveChannel',
  'refreshAccountHealth',
  'cancelDelivery',
  'pauseReplay',
  'resumeReplay',
  'cancelReplay',
  'cancelScheduledMessage',
  'cancelScheduledPost',
  'acknowledgeDeliveries',
  'publishContainer',
  'markMessageRead',
  'moderatePhotoappComment',
  'moderatePhotoappMedia',
  'moderatePageappComment',
]);

/** In addition to tools that call the platform or probe an address. */
export const sendingTools: ReadonlySet<string> = new Set([
  'testWebhook',
  'testSubscription',
  'retryDelivery',
  'replayDelivery',
  'createReplay',
  'resumeReplay',
  'scheduleMessage',
  'changeScheduledMessage',
  'schedulePost',
  'changeScheduledPost',
  'applyOrganizationDefaultWebhook',
  'applyWorkspaceDefaultWebhook',
  'createInvitation',
  'refreshAccountHealth',
  'testAlertWebhook',
]);

const outsideCodes = [
  'PLATFORM_REJECTED',
  'PLATFORM_UNAVAILABLE',
  'WEBHOOK_URL_VERIFICATION_FAILED',
  'URL_NOT_ALLOWED',
] as const satisfies readonly ErrorCode[];

/** Omits the protocol's defaults, except `destructiveHint`, which is always set for changes. */
function annotationsOf({ operationId, method, errors }: RouteDefinition): ToolAnnotations {
  const isOpen = sendingTools.has(operationId) || outsideCodes.some((code) => errors.includes(code));
  const openWorld = isOpen ? {} : { openWorldHint: false };
  if (method === 'get' && !mintingReads.has(operationId)) return { readOnlyHint: true, ...openWorld };
  return {
    destructiveHint: method === 'delete' || destructiveTools.has(operationId),
    ...((method !== 'post' || repeatableTools.has(operationId)) && { idempotentHint: true }),
    ...openWorld,
  };
}
