import { counted } from '../../kit/texts/counted.ts';
import { agoText, soonText } from '../../kit/texts/soon-text.ts';
import type { DeliverySummary } from './delivery-filters.ts';
import type { Tone } from '../../kit/tone.ts';

type Status = DeliverySummary['status'];

export const statusTones: Readonly<Record<Status, Tone>> = {
  pending: 'info',
  retrying: 'warn',
  delivered: 'good',
  exhausted: 'bad',
  cancelled: 'neutral',
  skipped: 'neutral',
};

/** What the states mean, for whoever chooses among them. */
export const statusWords: Readonly<Record<Status, string>> = {
  pending: 'pending: on its way',
  retrying: 'retrying: failed, tried again',
  delivered: 'delivered: accepted by the receiver',
  exhausted: 'exhausted: given up',
  cancelled: 'cancelled',
  skipped: 'skipped: never sent',
};

const skipNotes: Readonly<Record<NonNullable<DeliverySummary['skipReason']>, string>> = {
  forwarding_disabled: 'forwarding was off',
  no_destination: 'no destination was set',
  destination_disabled: 'the destination was disabled',
};

type Noted = Waiting & Pick<DeliverySummary, 'replayOf'>;
type Waiting = Pick<DeliverySummary, 'status' | 'skipReason' | 'nextAttemptAt' | 'waitsForCircuit' | 'destination'>;

/** The few words that a list has room for: whether it is a replay, and why it was not sent, or when it goes. */
export function deliveryNote(delivery: Noted, now: Date): string {
  const origin = delivery.replayOf === null ? '' : `replay of ${delivery.replayOf}`;
  return [waitingNote(delivery, now), origin].filter(Boolean).join(' · ');
}

function waitingNote(delivery: Waiting, now: Date): string {
  const { status, skipReason, nextAttemptAt, waitsForCircuit } = delivery;
  if (skipReason !== null) return skipNotes[skipReason];
  if (waitsToBeRead(delivery)) return 'waits to be read';
  if (waitsForCircuit) return `receiver fails, probe ${soonText(waitsForCircuit.nextProbeAt, now)}`;
  if (nextAttemptAt !== null && (status === 'pending' || status === 'retrying')) {
    return `next attempt ${soonText(nextAttemptAt, now)}`;
  }
  return '';
}

/** A listener's reader comes when it comes. */
function waitsToBeRead({ status, destination }: Waiting): boolean {
  return status === 'pending' && destination?.type === 'listener';
}

/** Why a delivery waits, or was not sent, in whole sentences; null where there is nothing to explain. */
export function waitingReason(delivery: Waiting & { readonly attemptCount: number }, now: Date): string | null {
  const { status, skipReason, nextAttemptAt, waitsForCircuit, attemptCount } = delivery;
  if (skipReason !== null) {
    return `It was never sent: ${skipNotes[skipReason]} when it came or while it waited. Retry it, or replay the event.`;
  }
  if (waitsForCircuit) {
    const { reason, openedAt, nextProbeAt } = waitsForCircuit;
    const why =
      reason === 'retry_after'
        ? 'its receiver has asked to be left alone'
        : `its receiver has failed again and again since ${agoText(openedAt, now)}`;
    const own = attemptCount === 0 ? 'Nothing is wrong with it' : `${counted(attemptCount, 'attempt')} failed`;
    return `${own}, ${attemptCount === 0 ? 'but' : 'and'} ${why}. One delivery is tried ${soonText(nextProbeAt, now)}; all others go once one is accepted.`;
  }
  if (waitsToBeRead(delivery)) return 'It waits until its listener is read.';
  if (status === 'retrying' && nextAttemptAt !== null) {
    return `${counted(attemptCount, 'attempt')} failed. The next one is made ${soonText(nextAttemptAt, now)}.`;
  }
  if (status === 'pending') {
    return attemptCount === 0 ? 'It waits for its turn in its conversation.' : 'It waits to be sent again.';
  }
  if (status === 'exhausted') return 'All attempts of its schedule have failed: it is not tried again by itself.';
  if (status === 'cancelled') return 'It was cancelled: by hand, or with its destination or channel.';
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

/** When something was received, to the second; with the day unless it was today. */
export function receivedText(at: string, now: Date): string {
  const instant = new Date(at);
  return (instant.toDateString() === now.toDateString() ? clock : dayAndClock).format(instant);
}
