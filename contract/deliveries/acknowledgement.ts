import { type DeliveryStatus, statusAfter, type TransitionName } from './status.ts';
import { MAX_LISTENER_ATTEMPTS } from '../listeners/bounds.ts';

export interface Acknowledgement {
  /** Optional. Default: the next attempt. */
  readonly attempt?: number | undefined;
  readonly outcome: 'accepted' | 'rejected' | 'no_response';
  readonly retry?: boolean | undefined;
}

export interface AcknowledgedMove {
  readonly number: number;
  readonly transition: Extract<TransitionName, 'deliver' | 'exhaust' | 'reread'>;
}

/**
 * Records a success unless already delivered, and a failure only for the next attempt of a pending delivery. Returns
 * undefined if nothing changes, and `unread` for an attempt that was never read.
 */
export function acknowledgedMove(
  { status, attemptCount }: { readonly status: DeliveryStatus; readonly attemptCount: number },
  { attempt, outcome, retry = false }: Acknowledgement,
): AcknowledgedMove | 'unread' | undefined {
  const next = attemptCount + 1;
  const number = attempt ?? next;
  if (number > next) return 'unread';
  const transition =
    outcome === 'accepted' ? 'deliver' : retry && number < MAX_LISTENER_ATTEMPTS ? 'reread' : 'exhaust';
  if (outcome !== 'accepted' && (status !== 'pending' || number < next)) return undefined;
  return statusAfter(status, transition) === undefined ? undefined : { number, transition };
}
