import type { ChannelType } from '../../contract/event-types.ts';

/**
 * The upstream's wire words that its webhooks use, as data. Times: chatapp sends seconds as a string, messaging items
 * milliseconds, feed values seconds, an entry's `time` either; they are only ever compared as text, never read.
 */

/** The `object` values that mean each product besides its neutral word, where the settings name no others. */
export const upstreamObjects: Readonly<Record<ChannelType, readonly string[]>> = {
  chatapp: ['whatsapp_business_account'],
  photoapp: ['instagram'],
  pageapp: ['page'],
};

/** Lists of an entry. Items on standby are copies for an app that doesn't hold the conversation. */
export const messagingList = 'messaging';
export const standbyList = 'standby';

/** Fields whose change carries one messaging item as its value: the upstream's own test button sends such. */
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

/** What a feed value's `item` may be, when it is about a post and not a comment on one. */
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

/** Carries `sha256=<hex>` over the raw bytes of what the platform posts, keyed on the app secret. */
export const platformSignatureHeader = 'x-hub-signature-256';
