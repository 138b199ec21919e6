import { PlatformRejected, PlatformUnavailable } from './errors.ts';

/** Of the app, shared by all accounts. */
const APP_CODES = new Set([4, 341]);
/** Of one account, or of the app's use of it. */
const ACCOUNT_CODES = new Set([17, 32, 613, 80000, 80001, 80002, 80004, 80006, 80007, 80008, 130429]);

export interface RateLimit {
  readonly of: 'app' | 'account';
  /** Null if the platform does not say. */
  readonly retryAfterSeconds: number | null;
}

/** Returns undefined for any other error. */
export function rateLimitOf(error: unknown): RateLimit | undefined {
  const rejected = error instanceof PlatformUnavailable ? error.cause : error;
  if (!(rejected instanceof PlatformRejected)) return undefined;
  const { code, status, retryAfterSeconds } = rejected;
  if (code !== null && ACCOUNT_CODES.has(code)) return { of: 'account', retryAfterSeconds };
  return status === 429 || (code !== null && APP_CODES.has(code)) ? { of: 'app', retryAfterSeconds } : undefined;
}
