import { formatDueTime, formatTimeAgo, pluralize } from '../../kit/format/format.ts';
import type { Tone } from '../../kit/tone.ts';
import type { DeliverySummary } from './delivery-filters.ts';
import { describeCancellation } from './timeline.ts';

type Status = DeliverySummary['status'];

export const statusTones: Readonly<Record<Status, Tone>> = {
  pending: 'info',
  retrying: 'warn',
  delivered: 'good',
  exhausted: 'bad',
  cancelled: 'neutral',
  skipped: 'neutral',
};

export const statusLabels: Readonly<Record<Status, string>> = {
  pending: 'pending: waiting to be sent',
  retrying: 'retrying: failed, will be retried',
  delivered: 'delivered: accepted by the receiver',
  exhausted: 'exhausted: all attempts failed',
  cancelled: 'cancelled',
  skipped: 'skipped: no enabled destination',
};

const skipNotes: Readonly<Record<NonNullable<DeliverySummary['skipReason']>, string>> = {
  forwarding_disabled: 'forwarding was off',
  no_destination: 'no destination was set',
  destination_disabled: 'the destination was disabled',
};

type NotedDelivery = WaitingDelivery & Pick<DeliverySummary, 'replayOf'>;
type WaitingDelivery = Pick<
  DeliverySummary,
  'status' | 'skipReason' | 'nextAttemptAt' | 'waitsForCircuit' | 'destination' | 'cancellation'
>;

export function deliveryNote(delivery: NotedDelivery, now: Date): string {
  const origin = delivery.replayOf === null ? '' : `replay of ${delivery.replayOf}`;
  return [waitingNote(delivery, now), origin].filter(Boolean).join(' · ');
}

function waitingNote(delivery: WaitingDelivery, now: Date): string {
  const { status, skipReason, nextAttemptAt, waitsForCircuit } = delivery;
  if (skipReason !== null) return skipNotes[skipReason];
  if (status === 'cancelled' && delivery.cancellation) return describeCancellation(delivery.cancellation);
  if (waitsToBeRead(delivery)) return 'waiting to be read';
  if (waitsForCircuit) return `probe ${formatDueTime(waitsForCircuit.nextProbeAt, now)}, receiver failing`;
  if (nextAttemptAt !== null && (status === 'pending' || status === 'retrying')) {
    return `next attempt ${formatDueTime(nextAttemptAt, now)}`;
  }
  return '';
}

function waitsToBeRead({ status, destination }: WaitingDelivery): boolean {
  return status === 'pending' && destination?.type === 'listener';
}

/** Returns full sentences, or null if there is nothing to explain. */
export function waitingReason(delivery: WaitingDelivery & { readonly attemptCount: number }, now: Date): string | null {
  const { status, skipReason, nextAttemptAt, waitsForCircuit, attemptCount, cancellation } = delivery;
  if (skipReason !== null) {
    const what =
      attemptCount === 0
        ? `Not sent: ${skipNotes[skipReason]} when the event arrived or while it waited.`
        : `Given up after ${pluralize(attemptCount, 'attempt')}: ${skipNotes[skipReason]} while it waited.`;
    const remedy = skipReason === 'destination_disabled' ? 'Enable the destination, then retry' : 'Retry';
    return `${what} ${remedy} the delivery or replay the event.`;
  }
  if (waitsForCircuit) {
    const { reason, openedAt, nextProbeAt } = waitsForCircuit;
    const why =
      reason === 'retry_after'
        ? 'the receiver asked for a pause'
        : `the receiver kept failing and its circuit opened ${formatTimeAgo(openedAt, now)}`;
    const attempts = attemptCount === 0 ? 'Not attempted yet' : `${pluralize(attemptCount, 'attempt')} failed`;
    return `${attempts}: ${why}. The next probe is due ${formatDueTime(nextProbeAt, now)}. Waiting deliveries are sent once a probe succeeds.`;
  }
  if (waitsToBeRead(delivery)) return 'Waiting for its listener to read it.';
  if (status === 'retrying' && nextAttemptAt !== null) {
    return `${pluralize(attemptCount, 'attempt')} failed. The next attempt is due ${formatDueTime(nextAttemptAt, now)}.`;
  }
  if (status === 'pending') {
    return attemptCount === 0 ? 'Waiting for earlier deliveries in its conversation.' : 'Waiting to be sent again.';
  }
  if (status === 'exhausted') return 'All scheduled attempts failed. Retry it to start a new schedule.';
  if (status === 'cancelled') return `${describeCancellation(cancellation)}. Retry the delivery or replay the event.`;
  return null;
}

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const dayAndClock = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Returns the time, before today with its day. */
export function formatInstant(at: string, now: Date): string {
  const instant = new Date(at);
  return (instant.toDateString() === now.toDateString() ? clock : dayAndClock).format(instant);
}
