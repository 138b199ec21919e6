import type { AttemptOutcome } from './status.ts';

/** Only 2xx is accepted. Redirects are not followed, because they would lead from a checked URL to any other. */
export function outcomeOfStatus(status: number): AttemptOutcome {
  return status >= 200 && status < 300 ? 'accepted' : 'rejected';
}
