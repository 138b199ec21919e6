import type { ChannelType } from '../../contract/event-types.ts';
import type { ItemSource } from '../../contract/envelope/vocabulary.ts';
import { child, idText } from '../../contract/envelope/json-node.ts';

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

/** Notices about a ban, a removal or a deletion, and about their end. All are rare. */
export const accountStateFields: readonly string[] = [
  'account_update',
  'account_review_update',
  'business_status_update',
];

/** Standby items are copies for an app that does not control the conversation. */
export const messagingList = 'messaging';
export const standbyList = 'standby';

/** Lists of chatapp items. An echo is a message that the business wrote from its phone. */
export const messageList = 'messages';
export const statusList = 'statuses';
export const echoList = 'message_echoes';
/** The type of a chatapp message that says that another one was deleted. */
export const deletedType = 'revoke';
/** Within an element of a history; each thread is of one person. */
export const threadList = 'threads';
/** The business's own entries: its address book. */
export const addressBookList = 'state_sync';
/** The direction of a call that the business starts. */
export const businessDirection = 'BUSINESS_INITIATED';
/** The type of recipient of a message to a group. */
export const groupRecipient = 'group';

export const photoCommentFields: readonly string[] = ['comments', 'live_comments'];
export const feedField = 'feed';

const feedReactionItems: readonly string[] = ['reaction', 'like'];

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

export function hasTimestamp({ json, node }: ItemSource): boolean {
  return idText(json, child(json, node, 'timestamp')) !== null;
}

/**
 * Whether a value tells when its change happened. `created_time` is the time of the object, so it does only if the object
 * was created. A reaction may be taken back and given again within its second.
 */
export function isTimedChange(source: ItemSource): boolean {
  return hasTimestamp(source) || isCreation(source);
}

export function isCreation({ json, node }: ItemSource): boolean {
  if (idText(json, child(json, node, 'created_time')) === null) return false;
  const verb = idText(json, child(json, node, 'verb'));
  const item = idText(json, child(json, node, 'item'));
  return (verb === null || verb === 'add') && !(item !== null && feedReactionItems.includes(item));
}
