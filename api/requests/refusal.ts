import { isDatabaseAway } from '../../db/core/database-away.ts';
import { LimitReached } from '../../db/organizations/limits.ts';
import { ApiError, Conflict, ServiceUnavailable, Unforeseen } from './errors.ts';

/** What a caller is told of whatever was thrown: a refusal as it is, a database that is away, or that we failed. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof LimitReached) return new Conflict('LIMIT_REACHED', error.message);
  return isDatabaseAway(error) ? new ServiceUnavailable(error) : new Unforeseen(error);
}

/** Whether something went wrong on our side, which must be logged, rather than being refused. */
export function isFault(error: unknown): boolean {
  return !(error instanceof ApiError || error instanceof LimitReached);
}
