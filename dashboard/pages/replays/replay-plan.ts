import { type DeliveryStatus, deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { type EventType, eventTypes } from '../../../contract/event-types.ts';
import { DEFAULT_REPLAY_RATE, MAX_REPLAY_RATE } from '../../../contract/replays/replay.ts';
import { localTimeOf } from '../../kit/format/format.ts';
import { filtersOf, listedIn } from '../deliveries/delivery-filters.ts';

/** Times are `datetime-local` values in the reader's time zone. */
export interface ReplayPlan {
  /** Empty for all channels. Several, separated by commas, if the list of deliveries was filtered by them. */
  readonly channelId: string;
  readonly since: string;
  readonly until: string;
  readonly statuses: readonly DeliveryStatus[];
  readonly eventTypes: readonly EventType[];
  /** Lists of the words that the API takes, separated by commas; empty for all. */
  readonly originalDestinations: string;
  readonly httpStatuses: string;
  readonly sender: string;
  readonly platformMessageId: string;
  readonly search: string;
  /** Empty for the original destination of each event. */
  readonly destination: string;
  readonly rate: string;
}

const undelivered: readonly DeliveryStatus[] = ['exhausted', 'cancelled', 'skipped'];
const DAY_MS = 86_400_000;

/** Returns the plan for the filters in the URL; by default, undelivered events of the last day. */
export function initialPlan(query: URLSearchParams, now: Date): ReplayPlan {
  const { channels, destinations, httpStatus, sender, platformMessageId, search } = filtersOf(query);
  const statuses = listedIn(query.get('status'), deliveryStatuses);
  const instant = (name: string, otherwise: Date): string => {
    const at = new Date(query.get(name) ?? '');
    return localTimeOf(Number.isNaN(at.getTime()) ? otherwise : at);
  };
  return {
    channelId: channels?.join(',') ?? '',
    since: instant('since', new Date(now.getTime() - DAY_MS)),
    // Rounded up to include the current minute, because `datetime-local` has no seconds.
    until: instant('until', new Date(now.getTime() + 60_000)),
    statuses: statuses.length > 0 ? statuses : undelivered,
    eventTypes: listedIn(query.get('type'), eventTypes),
    originalDestinations: destinations?.join(', ') ?? '',
    httpStatuses: httpStatus?.join(', ') ?? '',
    sender: sender ?? '',
    platformMessageId: platformMessageId ?? '',
    search: search ?? '',
    destination: '',
    rate: String(DEFAULT_REPLAY_RATE),
  };
}

export function planProblem({ since, until, statuses, rate }: ReplayPlan): string | null {
  if (statuses.length === 0) return 'Choose at least one status.';
  if (!isTime(since) || !isTime(until)) return 'Enter a start and an end time.';
  if (new Date(since) >= new Date(until)) return 'Enter an end time that is after the start time.';
  const perSecond = Number(rate);
  if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > MAX_REPLAY_RATE) {
    return `Enter a whole number from 1 to ${MAX_REPLAY_RATE} as the rate.`;
  }
  return null;
}

const isTime = (text: string): boolean => !Number.isNaN(new Date(text).getTime());

interface ReplayBody {
  scope: string;
  since: string;
  until: string;
  statuses: DeliveryStatus[];
  eventTypes?: EventType[];
  channelIds?: string[];
  originalDestinations?: string[];
  httpStatuses?: string[];
  sender?: string;
  platformMessageId?: string;
  search?: string;
  destination?: string;
  ratePerSecond: number;
}

export function replayBodyOf(plan: ReplayPlan, wholeScope: string): ReplayBody {
  const { channelId, since, until, statuses, destination, rate } = plan;
  const channelIds = wordsIn(channelId);
  const originalDestinations = wordsIn(plan.originalDestinations);
  const httpStatuses = wordsIn(plan.httpStatuses);
  const sender = plan.sender.trim();
  const platformMessageId = plan.platformMessageId.trim();
  const search = plan.search.trim();
  return {
    scope: channelIds.length === 1 ? `channel:${channelId}` : wholeScope,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    statuses: [...statuses],
    ...(plan.eventTypes.length > 0 && { eventTypes: [...plan.eventTypes] }),
    ...(channelIds.length > 1 && { channelIds }),
    ...(originalDestinations.length > 0 && { originalDestinations }),
    ...(httpStatuses.length > 0 && { httpStatuses }),
    ...(sender !== '' && { sender }),
    ...(platformMessageId !== '' && { platformMessageId }),
    ...(search !== '' && { search }),
    ...(destination !== '' && { destination }),
    ratePerSecond: Number(rate),
  };
}

const wordsIn = (list: string): string[] => list.split(',').flatMap((word) => word.trim() || []);
