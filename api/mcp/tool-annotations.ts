import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';

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
export function annotationsOf({ operationId, method, errors }: RouteDefinition): ToolAnnotations {
  const isOpen = sendingTools.has(operationId) || outsideCodes.some((code) => errors.includes(code));
  const openWorld = isOpen ? {} : { openWorldHint: false };
  if (method === 'get' && !mintingReads.has(operationId)) return { readOnlyHint: true, ...openWorld };
  return {
    destructiveHint: method === 'delete' || destructiveTools.has(operationId),
    ...((method !== 'post' || repeatableTools.has(operationId)) && { idempotentHint: true }),
    ...openWorld,
  };
}
