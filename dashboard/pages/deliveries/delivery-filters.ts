import type { Schema } from '../../../client/create-client.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { type EventType, eventTypes } from '../../../contract/event-types.ts';

export type DeliverySummary = Schema<'DeliverySummary'>;

export interface DeliveryFilters {
  readonly channel?: string;
  readonly status?: readonly DeliveryStatus[];
  readonly eventType?: readonly EventType[];
  /** `webhook`, or the ID of a subscription or listener. */
  readonly destination?: string;
  readonly sender?: string;
  readonly platformMessageId?: string;
  readonly since?: string;
  readonly until?: string;
}

export function filtersOf(query: URLSearchParams): DeliveryFilters {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const status = listedIn(given('status'), deliveryStatuses);
  const eventType = listedIn(given('type'), eventTypes);
  const [channel, destination] = [given('channel'), given('destination')];
  const [sender, platformMessageId] = [given('sender'), given('message')];
  const [since, until] = [instantOf(given('since')), instantOf(given('until'))];
  return {
    ...(channel && /^ch_[A-Za-z0-9]{8}$/.test(channel) && { channel }),
    ...(status.length > 0 && { status }),
    ...(eventType.length > 0 && { eventType }),
    ...(destination && /^(?:webhook|(?:sub|lst)_[A-Za-z0-9]{8})$/.test(destination) && { destination }),
    ...(sender && { sender }),
    ...(platformMessageId && { platformMessageId }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

export function listedIn<Word extends string>(text: string | null | undefined, words: readonly Word[]): Word[] {
  const given = new Set(text?.split(',').map((one) => one.trim()));
  return words.filter((word) => given.has(word));
}

function instantOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export function listQueryOf({ channel, status, eventType, ...others }: DeliveryFilters) {
  return {
    ...others,
    ...(channel !== undefined && { scope: `channel:${channel}` }),
    ...(status && { status: status.join(',') }),
    ...(eventType && { eventType: eventType.join(',') }),
  };
}

export function matchesFilters(delivery: DeliverySummary, filters: DeliveryFilters): boolean {
  const { channel, status, eventType, destination, sender, platformMessageId, since, until } = filters;
  return (
    isWanted(channel, delivery.channelId) &&
    (status === undefined || status.includes(delivery.status)) &&
    (eventType === undefined || eventType.includes(delivery.eventType)) &&
    isWanted(sender, delivery.sender) &&
    isWanted(platformMessageId, delivery.platformMessageId) &&
    isWanted(destination, targetOf(delivery)) &&
    (since === undefined || delivery.createdAt >= since) &&
    (until === undefined || delivery.createdAt < until)
  );
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
