import { canMove, type DeliveryStatus } from './status.ts';
import { MAX_LISTENER_ATTEMPTS } from '../listeners/bounds.ts';

/** The outcome a listener reports for a delivery. */
export interface Acknowledgement {
  /** Optional. The attempt's number; the next one by default. */
  readonly attempt?: number | undefined;
  readonly outcome: 'accepted' | 'rejected' | 'no_response';
  /** Optional. Whether to offer the delivery again, up to MAX_LISTENER_ATTEMPTS; false by default. */
  readonly retry?: boolean | undefined;
}

/** The attempt to record, and the delivery's status after it. */
export interface AcknowledgedMove {
  readonly number: number;
  readonly status: Extract<DeliveryStatus, 'pending' | 'delivered' | 'exhausted'>;
}

/**
 * Returns the effect of an acknowledgement on a listener's delivery. A success is recorded unless the delivery is already
 * delivered, a failure only while it is pending and the attempt is not recorded yet. Returns undefined for a repeated or
 * late acknowledgement, and `unread` for an attempt that was never read.
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
