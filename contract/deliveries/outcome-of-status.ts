import type { AttemptOutcome } from './status.ts';

/** 2xx is accepted. A redirect is a failure: it would turn a vetted URL into any URL (interface, "Deliveries"). */
export function outcomeOfStatus(status: number): AttemptOutcome {
  return status >= 200 && status < 300 ? 'accepted' : 'rejected';
}
