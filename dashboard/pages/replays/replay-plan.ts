import { type DeliveryStatus, deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { type EventType, eventTypes } from '../../../contract/event-types.ts';
import { DEFAULT_REPLAY_RATE, MAX_REPLAY_RATE } from '../../../contract/replays/replay.ts';
import { listedIn } from '../deliveries/delivery-filters.ts';

/** A replay as its form has it: times as `datetime-local` fields do, in the reader's zone. */
export interface ReplayPlan {
  /** Empty for the whole place. */
  readonly channelId: string;
  readonly since: string;
  readonly until: string;
  readonly statuses: readonly DeliveryStatus[];
  /** Empty for all. */
  readonly eventTypes: readonly EventType[];
  /** Empty for each delivery's own. */
  readonly destination: string;
  readonly rate: string;
}

/** What is replayed as a rule: what a receiver did not get. */
const lost: readonly DeliveryStatus[] = ['exhausted', 'cancelled', 'skipped'];
const DAY_MS = 86_400_000;

/** A plan to begin with: the filters that one comes with, else what was lost since yesterday. */
export function firstPlan(query: URLSearchParams, now: Date): ReplayPlan {
  const statuses = listedIn(query.get('status'), deliveryStatuses);
  const instant = (name: string, otherwise: Date): string => {
    const at = new Date(query.get(name) ?? '');
    return localText(Number.isNaN(at.getTime()) ? otherwise : at);
  };
  return {
    channelId: query.get('channel') ?? '',
    since: instant('since', new Date(now.getTime() - DAY_MS)),
    // The field knows minutes only: what came in this one is meant, too.
    until: instant('until', new Date(now.getTime() + 60_000)),
    statuses: statuses.length > 0 ? statuses : lost,
    eventTypes: listedIn(query.get('type'), eventTypes),
    destination: query.get('destination') ?? '',
    rate: String(DEFAULT_REPLAY_RATE),
  };
}

/** An instant as a `datetime-local` field takes it. */
function localText(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Why a plan can't be sent as it is; null where it can. */
export function planProblem({ since, until, statuses, rate }: ReplayPlan): string | null {
  if (statuses.length === 0) return 'Choose at least one state.';
  if (!isTime(since) || !isTime(until)) return 'Both ends of the span are needed.';
  if (new Date(since) >= new Date(until)) return 'The span must end after it begins.';
  const perSecond = Number(rate);
  if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > MAX_REPLAY_RATE) {
    return `The rate is a whole number from 1 to ${MAX_REPLAY_RATE}.`;
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
  destination?: string;
  ratePerSecond: number;
}

/** The plan as the API takes it; `wholeScope` where it names no channel. */
export function replayBodyOf(plan: ReplayPlan, wholeScope: string): ReplayBody {
  const { channelId, since, until, statuses, destination, rate } = plan;
  return {
    scope: channelId === '' ? wholeScope : `channel:${channelId}`,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    statuses: [...statuses],
    ...(plan.eventTypes.length > 0 && { eventTypes: [...plan.eventTypes] }),
    ...(destination !== '' && { destination }),
    ratePerSecond: Number(rate),
  };
}
