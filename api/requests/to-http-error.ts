import { isDatabaseUnavailable } from '../../db/core/database-unavailable.ts';
import { LimitReached } from '../../db/organizations/limits.ts';
import { Conflict, HttpError, InternalError, ServiceUnavailable } from './errors.ts';

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof LimitReached) return new Conflict('LIMIT_REACHED', error.message);
  if (!isDatabaseUnavailable(error)) return new InternalError(error);
  // A connection that breaks during a commit leaves its outcome unknown.
  const message = 'The service cannot reach its database. Try again shortly. A change may have been made.';
  return new ServiceUnavailable(message, { cause: error });
}

export function isUnexpected(error: unknown): boolean {
  return !(error instanceof HttpError || error instanceof LimitReached);
}
