import type { Schema } from '../../../client/create-client.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { type EventType, eventTypes } from '../../../contract/event-types.ts';
import { plainPerson } from '../../../contract/operations/person-id.ts';

export type DeliverySummary = Schema<'DeliverySummary'>;
/** A row of the list. The stream leaves out the fields that take further reads. */
export type ListedDelivery = Schema<'DeliveryListItem'>;

export interface DeliveryFilters {
  /** Any id or text. */
  readonly search?: string;
  readonly channels?: readonly string[];
  readonly status?: readonly DeliveryStatus[];
  readonly eventType?: readonly EventType[];
  /** `webhook`, and the IDs of subscriptions and listeners. */
  readonly destinations?: readonly string[];
  /** Classes such as `5xx`, statuses, or `none`. */
  readonly httpStatus?: readonly string[];
  readonly sender?: string;
  readonly platformMessageId?: string;
  readonly since?: string;
  readonly until?: string;
}

/** The parameters of the page's address that are filters. */
export const filterNames = [
  ...(['q', 'channel', 'status', 'type', 'destination', 'http'] as const),
  ...(['sender', 'message', 'since', 'until'] as const),
] as const;
export type FilterName = (typeof filterNames)[number];

export function filtersOf(query: URLSearchParams): DeliveryFilters {
  const given = (name: FilterName): string | undefined => query.get(name)?.trim() || undefined;
  const search = given('q');
  const channels = matchingIn(given('channel'), /^ch_[A-Za-z0-9]{8}$/);
  const status = listedIn(given('status'), deliveryStatuses);
  const eventType = listedIn(given('type'), eventTypes);
  const destinations = matchingIn(given('destination'), /^(?:webhook|(?:sub|lst)_[A-Za-z0-9]{8})$/);
  const httpStatus = matchingIn(given('http'), /^(?:[1-5]xx|[1-5][0-9]{2}|none)$/);
  const sender = given('sender');
  const platformMessageId = given('message');
  const since = instantOf(given('since'));
  const until = instantOf(given('until'));
  return {
    ...(search && { search }),
    ...(channels.length > 0 && { channels }),
    ...(status.length > 0 && { status }),
    ...(eventType.length > 0 && { eventType }),
    ...(destinations.length > 0 && { destinations }),
    ...(httpStatus.length > 0 && { httpStatus }),
    ...(sender && { sender: plainPerson(sender) }),
    ...(platformMessageId && { platformMessageId }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

export function listedIn<Word extends string>(text: string | null | undefined, words: readonly Word[]): Word[] {
  const given = new Set(text?.split(',').map((one) => one.trim()));
  return words.filter((word) => given.has(word));
}

function matchingIn(text: string | undefined, pattern: RegExp): string[] {
  const given = new Set(text?.split(',').map((one) => one.trim()));
  return [...given].filter((one) => pattern.test(one));
}

function instantOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The query of the list and of the histogram. */
export function listQueryOf({ channels, status, eventType, destinations, httpStatus, ...others }: DeliveryFilters) {
  return {
    ...others,
    ...(channels && (channels.length === 1 ? { scope: `channel:${channels[0]}` } : { channelId: channels.join(',') })),
    ...(status && { status: status.join(',') }),
    ...(eventType && { eventType: eventType.join(',') }),
    ...(destinations && { destination: destinations.join(',') }),
    ...(httpStatus && { httpStatus: httpStatus.join(',') }),
  };
}

/** Whether a streamed delivery belongs to the list. A search and a response are matched by the service alone. */
export function matchesFilters(delivery: DeliverySummary, filters: DeliveryFilters): boolean {
  const { channels, status, eventType, destinations, sender, platformMessageId } = filters;
  if (filters.search !== undefined || filters.httpStatus !== undefined) return false;
  return (
    isAmong(channels, delivery.channelId) &&
    isAmong(status, delivery.status) &&
    isAmong(eventType, delivery.eventType) &&
    isAmong(destinations, targetOf(delivery)) &&
    isWanted(sender, delivery.sender) &&
    isWanted(platformMessageId, delivery.platformMessageId) &&
    isWithin(filters, delivery.createdAt)
  );
}

function isAmong(wanted: readonly string[] | undefined, given: string | null): boolean {
  return wanted === undefined || (given !== null && wanted.includes(given));
}

function isWithin({ since, until }: DeliveryFilters, at: string): boolean {
  return (since === undefined || at >= since) && (until === undefined || at < until);
}

function isWanted(wanted: string | undefined, given: string | null): boolean {
  return wanted === undefined || wanted === given;
}

/** Returns the destination as filters and replays name it. Null if the channel had none. */
function targetOf({ destination }: Pick<DeliverySummary, 'destination'>): string | null {
  if (destination === null) return null;
  if (destination.type === 'webhook') return 'webhook';
  return destination.subscriptionId ?? destination.listenerId;
}

const shown = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

interface Span {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** Returns "since 3 Nov, 10:00", "before …" or "3 Nov, 10:00 – 3 Nov, 11:00". */
export function formatSpan({ since, until }: Span, now: Date): string {
  const format = (instant: string): string => {
    const at = new Date(instant);
    const text = shown.format(at);
    return at.toDateString() === now.toDateString() ? text.slice(text.lastIndexOf(',') + 1).trim() : text;
  };
  if (since !== undefined && until !== undefined) return `${format(since)} – ${format(until)}`;
  if (since !== undefined) return `since ${format(since)}`;
  return until === undefined ? 'all' : `before ${format(until)}`;
}
