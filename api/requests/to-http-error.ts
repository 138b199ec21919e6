import { isDatabaseUnavailable, isReadOnly, isStatementTimeout } from '../../db/core/database-unavailable.ts';
import { LimitReached } from '../../db/organizations/limits.ts';
import { TurnRefused } from '../../db/replays/delivery-turns.ts';
import { Conflict, HttpError, InternalError, ServiceUnavailable, TooManyRequests } from './errors.ts';

const READ_ONLY = 'The database of the service is read-only at the moment. Nothing can be changed. Try again shortly.';
const TOO_SLOW = 'The database of the service did not finish in time. Try again shortly. A change may have been made.';

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof TurnRefused) return new TooManyRequests(error.retryAfterSeconds, { message: error.message });
  if (error instanceof LimitReached) return new Conflict('LIMIT_REACHED', error.message);
  if (!isDatabaseUnavailable(error)) return new InternalError(error);
  if (isReadOnly(error)) return new ServiceUnavailable(READ_ONLY, { cause: error });
  if (isStatementTimeout(error)) return new ServiceUnavailable(TOO_SLOW, { cause: error });
  // A connection that breaks during a commit leaves its outcome unknown.
  const message = 'The service cannot reach its database. Try again shortly. A change may have been made.';
  return new ServiceUnavailable(message, { cause: error });
}

export function isUnexpected(error: unknown): boolean {
  return !(error instanceof HttpError || error instanceof LimitReached || error instanceof TurnRefused);
}
