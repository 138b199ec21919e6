import { canMove, type DeliveryStatus } from './status.ts';
import { MAX_LISTENER_ATTEMPTS } from '../listeners/bounds.ts';

export interface Acknowledgement {
  /** Optional. Default: the next attempt. */
  readonly attempt?: number | undefined;
  readonly outcome: 'accepted' | 'rejected' | 'no_response';
  readonly retry?: boolean | undefined;
}

export interface AcknowledgedMove {
  readonly number: number;
  readonly status: Extract<DeliveryStatus, 'pending' | 'delivered' | 'exhausted'>;
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
  if (outcome === 'accepted') return canMove(status, 'delivered') ? { number, status: 'delivered' } : undefined;
  if (status !== 'pending' || number < next) return undefined;
  return { number, status: retry && number < MAX_LISTENER_ATTEMPTS ? 'pending' : 'exhausted' };
}
