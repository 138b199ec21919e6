import type { AttemptOutcome } from './status.ts';

/** A redirect would lead from a checked URL to any other. */
export function outcomeOfStatus(status: number): AttemptOutcome {
  return status >= 200 && status < 300 ? 'accepted' : 'rejected';
}
