import type { ErrorCode } from '../../contract/errors.ts';

/** Routes that start a workflow, or wait for its result. */
export const workflowErrors = ['WORKFLOW_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN'] as const;

/** Routes whose input names a channel, a workspace or an organization. */
export const scopeErrors = ['CHANNEL_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'] as const;

/** Routes that read from the platform for a channel. */
export const platformReadErrors = [
  'CHANNEL_TYPE_MISMATCH',
  'CHANNEL_DISCONNECTED',
  'PAGEAPP_SCOPE_MISSING',
  'PLATFORM_REJECTED',
  'PLATFORM_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Routes that read an object whose id the caller gives; it may belong to another account. */
export const platformObjectErrors = [...platformReadErrors, 'PAGEAPP_SCOPE_DENIED'] as const;

/** Routes that change something at the platform; its response may be lost. */
export const platformWriteErrors = [...platformObjectErrors, 'PLATFORM_OUTCOME_UNKNOWN'] as const;
