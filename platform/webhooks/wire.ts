import type { ChannelType } from '../../contract/event-types.ts';

/**
 * The upstream's wire words in webhooks. Units of time differ: chatapp sends seconds as a string, messaging items
 * milliseconds, feed values seconds, and an entry's `time` either. Times are only compared as texts.
 */

/** The `object` values of each product by default, besides its neutral word. */
export const upstreamObjects: Readonly<Record<ChannelType, readonly string[]>> = {
  chatapp: ['whatsapp_business_account'],
  photoapp: ['instagram'],
  pageapp: ['page'],
};

/** Lists of an entry. Standby items are copies for an app that does not control the conversation. */
export const messagingList = 'messaging';
export const standbyList = 'standby';

/** Fields whose change has a messaging item as its value. The upstream's test button sends these. */
export const messagingFields: readonly string[] = [
  'messages',
  'message_echoes',
  'message_reactions',
  'message_reads',
  'message_deliveries',
  'messaging_postbacks',
];

export const photoCommentFields: readonly string[] = ['comments', 'live_comments'];
export const feedField = 'feed';

/** Values of a feed value's `item` that mean a post. */
export const feedPostItems: readonly string[] = [
  'post',
  'status',
  'photo',
  'video',
  'share',
  'link',
  'album',
  'event',
  'note',
  'reaction',
  'like',
];

/** The header with `sha256=<hex>`: the HMAC of the raw body, keyed with the app secret. */
export const platformSignatureHeader = 'x-hub-signature-256';
