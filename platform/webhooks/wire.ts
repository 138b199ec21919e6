import type { ChannelType } from '../../contract/event-types.ts';

/**
 * Units of time differ: chatapp sends seconds as a string, messaging items milliseconds, feed values seconds, and an
 * entry's `time` either. Times are only compared as strings.
 */

/** Defaults, besides the neutral word. */
export const upstreamObjects: Readonly<Record<ChannelType, readonly string[]>> = {
  chatapp: ['whatsapp_business_account'],
  photoapp: ['instagram'],
  pageapp: ['page'],
};

/** The chatapp field of messages and their statuses. */
export const messagesField = 'messages';

/** A person has a phone number, a user id of the business, and one of its parent. Any of them may be missing. */
export const messageContactKeys: readonly string[] = ['from', 'from_user_id', 'from_parent_user_id'];
export const statusContactKeys: readonly string[] = [
  'recipient_id',
  'recipient_user_id',
  'recipient_parent_user_id',
  'parent_recipient_user_id',
  'recipient_participant_id',
  'recipient_participant_user_id',
  'recipient_participant_parent_user_id',
];

/** Notices about a ban, a removal or a deletion, and about their end. All are rare. */
export const accountStateFields: readonly string[] = [
  'account_update',
  'account_review_update',
  'business_status_update',
];

/** Standby items are copies for an app that does not control the conversation. */
export const messagingList = 'messaging';
export const standbyList = 'standby';

/** A change of these fields has a messaging item as its value. The upstream's test button sends them. */
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

export const feedReactionItems: readonly string[] = ['reaction', 'like'];

export const feedPostItems: readonly string[] = [
  ...feedReactionItems,
  'post',
  'status',
  'photo',
  'video',
  'share',
  'link',
  'album',
  'event',
  'note',
];

/** Contains `sha256=<hex>`: the HMAC of the raw body, keyed with the app secret. */
export const platformSignatureHeader = 'x-hub-signature-256';
