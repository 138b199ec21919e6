import type { ErrorCode } from '../../contract/errors.ts';

/** For routes that start a workflow or wait for one. */
export const workflowErrors = ['WORKFLOW_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN'] as const;

/** For routes whose input names a scope. */
export const scopeErrors = ['CHANNEL_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'] as const;

export const platformReadErrors = [
  'CHANNEL_TYPE_MISMATCH',
  'CHANNEL_DISCONNECTED',
  'CREDENTIAL_REFUSED',
  'PAGEAPP_SCOPE_MISSING',
  'PLATFORM_RATE_LIMITED',
  'ACCOUNT_RESTRICTED',
  'NUMBER_NOT_REGISTERED',
  'PLATFORM_REJECTED',
  'PLATFORM_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** For routes that read an object, which may belong to another account. */
export const platformObjectErrors = [...platformReadErrors, 'PAGEAPP_SCOPE_DENIED'] as const;

/** For routes that change something, whose response may be lost or, for a repeat by key, erased. */
export const platformWriteErrors = [
  ...platformObjectErrors,
  'PLATFORM_OUTCOME_UNKNOWN',
  'IDEMPOTENCY_KEY_IN_USE',
  'ANSWER_ERASED',
] as const;

/** For routes that write to a person. */
export const messageErrors = [
  ...platformWriteErrors,
  'RECIPIENT_RATE_LIMITED',
  'MESSAGING_WINDOW_CLOSED',
  'RECIPIENT_UNREACHABLE',
  'MESSAGE_WITHHELD',
  'CONVERSATION_HELD_ELSEWHERE',
  'REPLY_ALREADY_SENT',
  'TEMPLATE_REJECTED',
  'MEDIA_REJECTED',
] as const;

/** For routes that post something on a Page. */
export const postErrors = [
  ...platformWriteErrors,
  'DUPLICATE_POST',
  'MEDIA_REJECTED',
  'PUBLISH_QUOTA_EXCEEDED',
] as const;

/** For routes of media containers, whose calls a workflow makes. */
export const containerErrors = [
  'CHANNEL_TYPE_MISMATCH',
  'CHANNEL_DISCONNECTED',
  'CREDENTIAL_REFUSED',
  'PAGEAPP_SCOPE_MISSING',
  'ACCOUNT_RESTRICTED',
  'MEDIA_REJECTED',
  'DUPLICATE_POST',
  'PUBLISH_QUOTA_EXCEEDED',
  'PLATFORM_RATE_LIMITED',
  'PLATFORM_UNAVAILABLE',
  'PLATFORM_REJECTED',
  ...workflowErrors,
] as const satisfies readonly ErrorCode[];
