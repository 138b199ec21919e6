import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';

/** Read by their method, but the first reading mints a token. */
export const mintingReads: ReadonlySet<string> = new Set(['getChannelToken', 'getChannelEnv']);

/** What these end or replace does not come back; besides everything that is a DELETE. */
export const destructiveTools: ReadonlySet<string> = new Set([
  'disconnectChannel',
  'disableChannel', // what waits is skipped
  'rotateChannelToken',
  'rotateWebhookHmac',
  'putWebhookConfig',
  'editSubscription', // what waits may be cancelled by it
  'cancelDelivery',
  'cancelReplay',
  'moderatePhotoappComment',
  'moderatePageappComment',
  'regenerateOnboardingLink',
]);

/** A repeat changes nothing more; besides everything that is a GET, PUT, PATCH or DELETE. */
export const repeatableTools: ReadonlySet<string> = new Set([
  'enableChannel',
  'disableChannel',
  'disconnectChannel',
  'moveChannel',
  'cancelDelivery',
  'pauseReplay',
  'resumeReplay',
  'cancelReplay',
  'acknowledgeDeliveries',
  'publishContainer',
  'markMessageRead',
  'moderatePhotoappComment',
  'moderatePhotoappMedia',
  'moderatePageappComment',
]);

/** They send something to a receiver or to a person; besides everything that calls the platform or probes an address. */
export const sendingTools: ReadonlySet<string> = new Set([
  'testWebhook',
  'testSubscription',
  'retryDelivery',
  'replayDelivery',
  'createReplay',
  'resumeReplay',
  'createInvitation',
]);

const outsideCodes = [
  'PLATFORM_REJECTED',
  'PLATFORM_UNAVAILABLE',
  'WEBHOOK_URL_VERIFICATION_FAILED',
  'URL_NOT_ALLOWED',
] as const satisfies readonly ErrorCode[];

/**
 * What a client may tell its user, or let pass without asking; never more than a hint. What is the protocol's default is
 * left out, and of what only reads the hints about changes, which mean nothing there; whether a change is destructive is
 * always said.
 */
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
