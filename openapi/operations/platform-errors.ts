import type { ErrorCode } from '../../contract/errors.ts';

/** Whatever is read at the platform for a channel. */
export const platformReadErrors = [
  'CHANNEL_TYPE_MISMATCH',
  'CHANNEL_DISCONNECTED',
  'PAGEAPP_SCOPE_MISSING',
  'PLATFORM_REJECTED',
  'PLATFORM_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Whatever is read there of an object that the caller names, which may be another's. */
export const platformObjectErrors = [
  ...platformReadErrors,
  'PAGEAPP_SCOPE_DENIED',
] as const satisfies readonly ErrorCode[];

/** Whatever is done there: besides, it may be another's, and its answer may be lost. */
export const platformWriteErrors = [
  ...platformObjectErrors,
  'PLATFORM_OUTCOME_UNKNOWN',
] as const satisfies readonly ErrorCode[];
