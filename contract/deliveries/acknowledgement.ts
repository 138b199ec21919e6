import { canMove, type DeliveryStatus } from './status.ts';
import { MAX_LISTENER_ATTEMPTS } from '../listeners/bounds.ts';

/** What a reader says that came of a delivery. */
export interface Acknowledgement {
  /** Which attempt it was; the next one where the reader does not say. */
  readonly attempt?: number | undefined;
  readonly outcome: 'accepted' | 'rejected' | 'no_response';
  /** To be read again, unless it has failed too often. */
  readonly retry?: boolean | undefined;
}

/** An attempt to record, and where the delivery stands then. */
export interface AcknowledgedMove {
  readonly number: number;
  readonly status: Extract<DeliveryStatus, 'pending' | 'delivered' | 'exhausted'>;
}

/**
 * What an acknowledgement does to a delivery of a listener. A success is recorded whatever has become of the delivery
 * meanwhile, a failure only while the delivery waits and this attempt has not been recorded yet. `undefined` changes
 * nothing: a repeat, or too late. `unread` is an attempt that nobody was given.
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
