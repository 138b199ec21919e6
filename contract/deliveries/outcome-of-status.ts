import type { AttemptOutcome } from './status.ts';

/** A redirect counts as rejected, because it could lead to an unchecked URL. */
export function outcomeOfStatus(status: number): AttemptOutcome {
  return status >= 200 && status < 300 ? 'accepted' : 'rejected';
}
