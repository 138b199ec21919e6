import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { formatDueTime, formatDuration, formatNumber, formatTimeAgo, pluralize } from '../../kit/format/format.ts';
import type { Tone } from '../../kit/tone.ts';

type Channel = Schema<'Channel'>;
type DestinationHealth = Schema<'DestinationHealth'>;

export interface Finding {
  readonly tone: Tone;
  readonly title: string;
  /** One figure for tables. Null if the title says it all. */
  readonly figure: string | null;
  readonly detail: string;
  /** Optional. The destination, if the channel has several. */
  readonly subject?: string;
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
  const refused: Finding = { tone: 'bad', title, figure: null, detail: `Nothing can be sent. ${reason}` };
  return [refused, ...deliveryFindings(state)];
}

function deliveryFindings({ channel, destinations, now }: ChannelState): readonly Finding[] {
  const { connected, disconnectedReason, forwardingEnabled } = channel;
  if (!connected) {
    const why = disconnectedReason === null ? 'It was disconnected on request.' : `${disconnectedReason}`;
    const detail = `${why} No events arrive until it is reconnected.`;
    return [{ tone: 'bad', title: 'Disconnected', figure: null, detail }];
  }
  if (!forwardingEnabled) {
    const detail = 'Events are stored as skipped and not sent.';
    return [{ tone: 'warn', title: 'Forwarding is off', figure: null, detail }];
  }
  if (destinations.length === 0) {
    const detail = 'Events are stored but not sent. Set a webhook to receive them.';
    return [{ tone: 'warn', title: 'No destination', figure: null, detail }];
  }
  return destinations
    .map((destination) => ({
      ...destinationFinding(destination, now),
      ...(destinations.length > 1 && { subject: nameOf(destination) }),
    }))
    .sort((a, b) => byUrgency.indexOf(a.tone) - byUrgency.indexOf(b.tone));
}

export function nameOf(destination: DestinationHealth): string {
  const name = destinationName(destination);
  return destination.isKept ? `${name} (previous URL)` : name;
}

const disabledFindings: Readonly<Record<NonNullable<DestinationHealth['disabledReason']>, Finding>> = {
  gone: {
    tone: 'bad',
    title: 'Disabled: gone',
    figure: null,
    detail: 'The receiver answered 410 Gone twice. Events are skipped until you save or enable it again.',
  },
  failing: {
    tone: 'bad',
    title: 'Disabled: failing',
    figure: null,
    detail: 'The receiver failed for days without a success. Events are skipped until you save or enable it again.',
  },
  by_hand: {
    tone: 'warn',
    title: 'Disabled',
    figure: null,
    detail: 'Disabled by a user. Events are skipped until it is enabled.',
  },
};

const overdueDetails: Readonly<Record<NonNullable<DestinationHealth['overdueReason']>, string>> = {
  behind: 'The receiver answers more slowly than events arrive.',
  not_sent: 'The service has sent nothing for two minutes. Contact its operator.',
};

/** A listener that leaves deliveries unread for longer is behind, as a webhook is that is not sent to. */
const UNREAD_MS = 2 * 60_000;
/** Several attempts have failed by then. */
const REFUSED_MS = 5 * 60_000;

export function destinationFinding(destination: DestinationHealth, now: Date): Finding {
  const { enabled, disabledReason, notSettlingSince, overdueSince, overdueReason, circuit } = destination;
  const { failingSince, consecutiveFailures, lastDeliveredAt, type } = destination;
  const ago = (at: string): string => formatTimeAgo(at, now);
  const waiting = waitingText(destination, now);
  if (!enabled) return disabledFindings[disabledReason ?? 'by_hand'];
  if (notSettlingSince !== null) {
    const detail = `The service has failed to record what the receiver answers, starting ${ago(notSettlingSince)}. Its operator is notified; you need not change anything. ${waiting}`;
    return { tone: 'bad', title: 'Not recorded', figure: forTime(notSettlingSince, now), detail };
  }
  if (circuit.state === 'open') {
    const probe = circuit.nextProbeAt === null ? 'soon' : formatDueTime(circuit.nextProbeAt, now);
    if (circuit.reason === 'retry_after') {
      const detail = `The receiver asked for a pause. The next probe is due ${probe}. ${waiting}`;
      return { tone: 'warn', title: 'Paused by the receiver', figure: `probe ${probe}`, detail };
    }
    const since = failingSince === null ? '' : `, starting ${ago(failingSince)}`;
    const times = pluralize(consecutiveFailures, 'time');
    const detail = `The receiver failed ${times} in a row${since}. The next probe is due ${probe}. Waiting deliveries are sent once a probe succeeds. ${waiting}`;
    return { tone: 'bad', title: 'Failing', figure: inARow(consecutiveFailures), detail };
  }
  if (overdueSince !== null) {
    const detail = `${overdueDetails[overdueReason ?? 'not_sent']} ${waiting}`;
    return { tone: 'bad', title: 'Deliveries late', figure: forTime(overdueSince, now), detail };
  }
  if (failingSince !== null) {
    const detail = `The last ${pluralize(consecutiveFailures, 'attempt')} failed, the first ${ago(failingSince)}. ${waiting}`;
    return { tone: 'warn', title: 'Failing', figure: inARow(consecutiveFailures), detail };
  }
  if (type === 'listener') return listenerFinding(destination, now);
  if (waitingCount(destination) > 0) return waitingFinding(destination, now);
  if (lastDeliveredAt === null) {
    return { tone: 'neutral', title: 'No deliveries yet', figure: null, detail: 'No events have arrived yet.' };
  }
  return { tone: 'good', title: 'Delivering', figure: null, detail: `Last delivered ${ago(lastDeliveredAt)}.` };
}

function waitingFinding(destination: DestinationHealth, now: Date): Finding {
  const { oldestWaitingAt: oldest, waiting } = destination;
  const detail = waitingText(destination, now);
  if (waiting.retrying === 0 || oldest === null || now.getTime() - Date.parse(oldest) <= REFUSED_MS)
    return { tone: 'info', title: 'In progress', figure: null, detail };
  const refused = `The receiver accepts events, but refuses some of them again and again. ${detail}`;
  return { tone: 'warn', title: 'Retrying', figure: forTime(oldest, now), detail: refused };
}

function listenerFinding(destination: DestinationHealth, now: Date): Finding {
  const { oldestWaitingAt } = destination;
  if (oldestWaitingAt === null) {
    return { tone: 'neutral', title: 'Listener', figure: null, detail: 'No deliveries are waiting to be read.' };
  }
  const detail = waitingText(destination, now);
  const isBehind = now.getTime() - Date.parse(oldestWaitingAt) > UNREAD_MS;
  if (!isBehind) return { tone: 'info', title: 'Being read', figure: null, detail };
  return { tone: 'warn', title: 'Not read', figure: forTime(oldestWaitingAt, now), detail };
}

function forTime(since: string, now: Date): string {
  return `for ${formatDuration(now.getTime() - Date.parse(since))}`;
}

const inARow = (count: number): string => `${formatNumber(count)} in a row`;

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
