import type { Schema } from '../../../client/create-client.ts';

type Trouble = Schema<'TroubledDestination'>;

const titles: Readonly<Record<NonNullable<Trouble['reason']>, string>> = {
  gone: 'Disabled: the receiver answered 410 Gone',
  failing: 'Disabled: it failed for days',
  by_hand: 'Disabled by a user',
  failures: 'Failing, deliveries wait',
  retry_after: 'Paused by the receiver',
};

export function troubleTitle({ state, reason }: Pick<Schema<'ChannelDelivery'>, 'state' | 'reason'>): string {
  if (state === 'not_settling') return 'Not recorded: contact the operator of this service';
  return reason === null ? 'Failing' : titles[reason];
}

/** Returns the receiver's last answer as one sentence without its time, or null. */
export function lastAnswer({ lastFailure, url }: Pick<Trouble, 'lastFailure' | 'url'>): string | null {
  if (!lastFailure) return null;
  const { status, outcome, answer } = lastFailure;
  return `${status ?? outcome.replaceAll('_', ' ')} from ${url}${answer === null ? '' : `: ${answer}`}`;
}

/** The query of a new replay of what was skipped since the trouble began. */
export function skippedReplayQuery({ channelId, since }: Pick<Trouble, 'channelId' | 'since'>): string {
  const query = new URLSearchParams({ channel: channelId, status: 'skipped', ...(since !== null && { since }) });
  return `replays/new?${query}`;
}
