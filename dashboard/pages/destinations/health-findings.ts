import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { formatDueTime, formatTimeAgo, pluralize } from '../../kit/format/format.ts';
import type { Tone } from '../../kit/tone.ts';

type Channel = Schema<'Channel'>;
type DestinationHealth = Schema<'DestinationHealth'>;

export interface Finding {
  readonly tone: Tone;
  readonly title: string;
  readonly detail: string;
}

const byUrgency: readonly Tone[] = ['bad', 'warn', 'info', 'good', 'neutral'];

interface ChannelState {
  readonly channel: Pick<Channel, 'connected' | 'disconnectedReason' | 'credentialRefusedReason' | 'forwardingEnabled'>;
  readonly destinations: readonly DestinationHealth[];
  readonly now: Date;
}

/**
 * Returns the most urgent finding first. A channel-wide finding replaces those of its destinations, except for a refused
 * credential: events are delivered without it.
 */
export function channelFindings(state: ChannelState): readonly Finding[] {
  const { connected, credentialRefusedReason: reason } = state.channel;
  if (!connected || reason === null) return deliveryFindings(state);
  const title = 'Credential refused';
  return [{ tone: 'bad', title, detail: `Nothing can be sent. ${reason}` }, ...deliveryFindings(state)];
}

function deliveryFindings({ channel, destinations, now }: ChannelState): readonly Finding[] {
  const { connected, disconnectedReason, forwardingEnabled } = channel;
  if (!connected) {
    const why = disconnectedReason === null ? 'It was disconnected on request.' : `${disconnectedReason}`;
    return [{ tone: 'bad', title: 'Disconnected', detail: `${why} No events arrive until it is reconnected.` }];
  }
  if (!forwardingEnabled) {
    return [{ tone: 'warn', title: 'Forwarding is off', detail: 'Events are stored as skipped and not sent.' }];
  }
  if (destinations.length === 0) {
    return [
      {
        tone: 'warn',
        title: 'No destination',
        detail: 'Events are stored but not sent. Set a webhook to receive them.',
      },
    ];
  }
  return destinations
    .map((destination) => ({ destination, finding: destinationFinding(destination, now) }))
    .map(({ destination, finding }) => ({ ...finding, detail: `${nameOf(destination)}: ${finding.detail}` }))
    .sort((a, b) => byUrgency.indexOf(a.tone) - byUrgency.indexOf(b.tone));
}

function nameOf(destination: DestinationHealth): string {
  const name = destinationName(destination);
  return destination.isKept ? `${name} (previous URL)` : name;
}

const disabledFindings: Readonly<Record<NonNullable<DestinationHealth['disabledReason']>, Finding>> = {
  gone: {
    tone: 'bad',
    title: 'Disabled: gone',
    detail: 'The receiver answered 410 Gone twice. Events are skipped until you save or enable it again.',
  },
  failing: {
    tone: 'bad',
    title: 'Disabled: failing',
    detail: 'The receiver failed for days without a success. Events are skipped until you save or enable it again.',
  },
  by_hand: { tone: 'warn', title: 'Disabled', detail: 'Disabled by a user. Events are skipped until it is enabled.' },
};

const overdueDetails: Readonly<Record<NonNullable<DestinationHealth['overdueReason']>, string>> = {
  behind: 'The receiver answers more slowly than events arrive.',
  not_sent: 'The service has sent nothing for two minutes. Contact its operator.',
};

export function destinationFinding(destination: DestinationHealth, now: Date): Finding {
  const {
    enabled,
    disabledReason,
    notSettlingSince,
    overdueSince,
    overdueReason,
    circuit,
    failingSince,
    consecutiveFailures,
    lastDeliveredAt,
    type,
  } = destination;
  const ago = (at: string): string => formatTimeAgo(at, now);
  const waiting = waitingText(destination, now);
  if (!enabled) return disabledFindings[disabledReason ?? 'by_hand'];
  if (notSettlingSince !== null) {
    const detail = `The service has failed to record what the receiver answers, starting ${ago(notSettlingSince)}. Its operator is notified; you need not change anything. ${waiting}`;
    return { tone: 'bad', title: 'Not recorded', detail };
  }
  if (circuit.state === 'open') {
    const probe = circuit.nextProbeAt === null ? 'soon' : formatDueTime(circuit.nextProbeAt, now);
    if (circuit.reason === 'retry_after') {
      const detail = `The receiver asked for a pause. The next probe is due ${probe}. ${waiting}`;
      return { tone: 'warn', title: 'Paused by the receiver', detail };
    }
    const since = failingSince === null ? '' : `, starting ${ago(failingSince)}`;
    const times = pluralize(consecutiveFailures, 'time');
    const detail = `The receiver failed ${times} in a row${since}. The next probe is due ${probe}. Waiting deliveries are sent once a probe succeeds. ${waiting}`;
    return { tone: 'bad', title: 'Failing', detail };
  }
  if (overdueSince !== null) {
    return {
      tone: 'bad',
      title: 'Deliveries late',
      detail: `${overdueDetails[overdueReason ?? 'not_sent']} ${waiting}`,
    };
  }
  if (failingSince !== null) {
    const detail = `The last ${pluralize(consecutiveFailures, 'attempt')} failed, the first ${ago(failingSince)}. ${waiting}`;
    return { tone: 'warn', title: 'Recent failures', detail };
  }
  if (type === 'listener')
    return { tone: 'neutral', title: 'Listener', detail: waiting || 'No deliveries are waiting to be read.' };
  if (waitingCount(destination) > 0) return { tone: 'info', title: 'In progress', detail: waiting };
  if (lastDeliveredAt === null)
    return { tone: 'neutral', title: 'No deliveries yet', detail: 'No events have arrived yet.' };
  return { tone: 'good', title: 'Delivering', detail: `Last delivered ${ago(lastDeliveredAt)}.` };
}

export function waitingCount({ waiting }: Pick<DestinationHealth, 'waiting'>): number {
  return waiting.pending + waiting.retrying;
}

function waitingText(destination: DestinationHealth, now: Date): string {
  const count = waitingCount(destination);
  if (count === 0) return '';
  const { oldestWaitingAt } = destination;
  const oldest = oldestWaitingAt === null ? '' : `, the oldest from ${formatTimeAgo(oldestWaitingAt, now)}`;
  return `${pluralize(count, 'delivery is', 'deliveries are')} waiting${oldest}.`;
}

export function latestOf(instants: readonly (string | null)[]): string | null {
  return instants.reduce((latest, at) => (at !== null && (latest === null || at > latest) ? at : latest), null);
}
