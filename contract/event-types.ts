export const channelTypes = ['chatapp', 'photoapp', 'pageapp'] as const;
export type ChannelType = (typeof channelTypes)[number];

/** Selectable by subscriptions. */
export const channelEventTypes = [
  'chatapp.message.received',
  'chatapp.message.status',
  'photoapp.message.received',
  'photoapp.comment.received',
] as const;
export type ChannelEventType = (typeof channelEventTypes)[number];

/** Sent only to the webhook and listeners. */
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

export function fitsChannelType(eventType: EventType, channelType: ChannelType): boolean {
  return eventType.startsWith(`${channelType}.`);
}
