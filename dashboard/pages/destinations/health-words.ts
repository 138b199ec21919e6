import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { counted } from '../../kit/texts/counted.ts';
import { agoText, soonText } from '../../kit/texts/soon-text.ts';

type Channel = Schema<'Channel'>;
type DestinationHealth = Schema<'DestinationHealth'>;

export type FindingTone = 'bad' | 'warn' | 'info' | 'neutral' | 'good';

/** What is to be known about a channel or a destination: in a word or two, and in a sentence that says why. */
export interface Finding {
  readonly tone: FindingTone;
  readonly title: string;
  readonly detail: string;
}

/** The worst first: what stands at the top is what to look at. */
const byUrgency: readonly FindingTone[] = ['bad', 'warn', 'info', 'good', 'neutral'];

interface ChannelState {
  readonly channel: Pick<Channel, 'connected' | 'disconnectedReason' | 'forwardingEnabled'>;
  readonly destinations: readonly DestinationHealth[];
  readonly now: Date;
}

/** How a channel is doing, the most urgent first; what holds for the whole channel makes its destinations beside the point. */
export function channelFindings({ channel, destinations, now }: ChannelState): readonly Finding[] {
  const { connected, disconnectedReason, forwardingEnabled } = channel;
  if (!connected) {
    const why = disconnectedReason === null ? 'It was disconnected by request.' : `${disconnectedReason}`;
    return [{ tone: 'bad', title: 'Disconnected', detail: `${why} No event comes in until it is connected again.` }];
  }
  if (!forwardingEnabled) {
    return [{ tone: 'warn', title: 'Forwarding is off', detail: 'Events are stored as skipped, and nothing is sent.' }];
  }
  if (destinations.length === 0) {
    return [
      { tone: 'warn', title: 'No destination', detail: 'Events are stored and go nowhere. Set a webhook for them.' },
    ];
  }
  return destinations
    .map((destination) => ({ destination, finding: destinationFinding(destination, now) }))
    .map(({ destination, finding }) => ({ ...finding, detail: `${nameOf(destination)}: ${finding.detail}` }))
    .sort((a, b) => byUrgency.indexOf(a.tone) - byUrgency.indexOf(b.tone));
}

function nameOf(destination: DestinationHealth): string {
  const name = destinationName(destination);
  return destination.isKept ? `${name} (the URL before)` : name;
}

const disabledFindings: Readonly<Record<NonNullable<DestinationHealth['disabledReason']>, Finding>> = {
  gone: {
    tone: 'bad',
    title: 'Disabled: gone',
    detail: 'The receiver answered 410 Gone twice. Events are skipped until it is saved or enabled again.',
  },
  failing: {
    tone: 'bad',
    title: 'Disabled: failing',
    detail: 'The receiver failed for days without any success. Events are skipped until it is saved or enabled again.',
  },
  by_hand: { tone: 'warn', title: 'Disabled', detail: 'Somebody disabled it. Events are skipped until it is enabled.' },
};

/** How one destination is doing. */
export function destinationFinding(destination: DestinationHealth, now: Date): Finding {
  const { enabled, disabledReason, circuit, failingSince, consecutiveFailures, lastDeliveredAt, type } = destination;
  const ago = (at: string): string => agoText(at, now);
  const waiting = waitingText(destination, now);
  if (!enabled) return disabledFindings[disabledReason ?? 'by_hand'];
  if (circuit.state === 'open') {
    const probe = circuit.nextProbeAt === null ? 'soon' : soonText(circuit.nextProbeAt, now);
    if (circuit.reason === 'retry_after') {
      const detail = `The receiver asked to be left alone; the next try is due ${probe}. ${waiting}`;
      return { tone: 'warn', title: 'Paused by the receiver', detail };
    }
    const since = failingSince === null ? '' : ` since ${ago(failingSince)}`;
    const times = counted(consecutiveFailures, 'time');
    const detail = `The receiver failed ${times} in a row${since}. One delivery is tried ${probe}, all others go once one is accepted. ${waiting}`;
    return { tone: 'bad', title: 'Failing', detail };
  }
  if (failingSince !== null) {
    const detail = `The last ${counted(consecutiveFailures, 'attempt')} failed, the first ${ago(failingSince)}. ${waiting}`;
    return { tone: 'warn', title: 'Failing at times', detail };
  }
  if (type === 'listener')
    return { tone: 'neutral', title: 'Listener', detail: waiting || 'Nothing waits to be read.' };
  if (waitingCount(destination) > 0) return { tone: 'info', title: 'Under way', detail: waiting };
  if (lastDeliveredAt === null) return { tone: 'neutral', title: 'Nothing sent yet', detail: 'No event has come yet.' };
  return { tone: 'good', title: 'Delivering', detail: `Last delivered ${ago(lastDeliveredAt)}.` };
}

export function waitingCount({ waiting }: Pick<DestinationHealth, 'waiting'>): number {
  return waiting.pending + waiting.retrying;
}

function waitingText(destination: DestinationHealth, now: Date): string {
  const count = waitingCount(destination);
  if (count === 0) return '';
  const { oldestWaitingAt } = destination;
  const oldest = oldestWaitingAt === null ? '' : `, the oldest from ${agoText(oldestWaitingAt, now)}`;
  return `${counted(count, 'delivery waits', 'deliveries wait')}${oldest}.`;
}

/** The latest of several instants of the API; null where there is none. */
export function latestOf(instants: readonly (string | null)[]): string | null {
  return instants.reduce((latest, at) => (at !== null && (latest === null || at > latest) ? at : latest), null);
}
