import type { ErrorCode } from '../../contract/errors.ts';

/** For routes that start a workflow or wait for one. */
export const workflowErrors = ['WORKFLOW_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN'] as const;

/** For routes whose input names a scope. */
export const scopeErrors = ['CHANNEL_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'] as const;

export const platformReadErrors = [
  'CHANNEL_TYPE_MISMATCH',
  'CHANNEL_DISCONNECTED',
  'PAGEAPP_SCOPE_MISSING',
  'PLATFORM_REJECTED',
  'PLATFORM_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** For routes that read an object, which may belong to another account. */
export const platformObjectErrors = [...platformReadErrors, 'PAGEAPP_SCOPE_DENIED'] as const;

/** For routes that change something, whose response may be lost or, for a repeat by key, erased. */
export const platformWriteErrors = [...platformObjectErrors, 'PLATFORM_OUTCOME_UNKNOWN', 'ANSWER_ERASED'] as const;
