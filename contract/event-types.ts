/** The three products, and the event types that a channel of each can produce (specification 2.3, interface "Event subscriptions"). */
export const channelTypes = ['chatapp', 'photoapp', 'pageapp'] as const;
export type ChannelType = (typeof channelTypes)[number];

/** The types that a subscription may list: the specification's enumeration, complete. */
export const channelEventTypes = [
  'chatapp.message.received',
  'chatapp.message.status',
  'photoapp.message.received',
  'photoapp.comment.received',
] as const;
export type ChannelEventType = (typeof channelEventTypes)[number];

/** Types that appear in the log and in the event-type header only; they reach the webhook, never a subscription. */
const webhookOnlyEventTypes = [
  'pageapp.message.received',
  'pageapp.message.reaction',
  'pageapp.message.read',
  'pageapp.message.delivered',
  'pageapp.postback.received',
  'pageapp.comment.received',
  'pageapp.post.changed',
  'chatapp.other.received',
  'photoapp.other.received',
  'pageapp.other.received',
] as const;

export const eventTypes = [...channelEventTypes, ...webhookOnlyEventTypes] as const;
export type EventType = (typeof eventTypes)[number];

/** Whether an event of this type can come from a channel of that type. */
export function fitsChannelType(eventType: EventType, channelType: ChannelType): boolean {
  return eventType.startsWith(`${channelType}.`);
}
