import { isDatabaseAway } from '../db/database-away.ts';
import { ApiError, ServiceUnavailable, Unforeseen } from './errors.ts';

/** What a caller is told of whatever was thrown: a refusal as it is, a database that is away, or that we failed. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return isDatabaseAway(error) ? new ServiceUnavailable(error) : new Unforeseen(error);
}
