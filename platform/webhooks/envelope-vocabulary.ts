import type {
  EnvelopeVocabulary,
  ItemDescription,
  ItemSource,
  ProductVocabulary,
} from '../../contract/envelope/vocabulary.ts';
import { chatappPeople } from './chatapp-people.ts';
import { describeChatappChange, describeChatappItem } from './describe-chatapp.ts';
import {
  describeMessaging,
  isMessaging,
  type MessagingEventTypes,
  describeAct,
  describeFeed,
  describePhotoComment,
} from './describe-messaging.ts';
import {
  feedField,
  messageList,
  messagingList,
  photoCommentFields,
  standbyList,
  statusList,
  upstreamObjects,
} from './wire.ts';

/** Photoapp has event types for messages and comments only. */
const photoappTypes: MessagingEventTypes = {
  message: 'photoapp.message.received',
  reaction: 'photoapp.other.received',
  postback: 'photoapp.other.received',
  read: 'photoapp.other.received',
  delivery: 'photoapp.other.received',
  other: 'photoapp.other.received',
};

const pageappTypes: MessagingEventTypes = {
  message: 'pageapp.message.received',
  reaction: 'pageapp.message.reaction',
  postback: 'pageapp.postback.received',
  read: 'pageapp.message.read',
  delivery: 'pageapp.message.delivered',
  other: 'pageapp.other.received',
};

function describePhotoappChange(source: ItemSource): ItemDescription {
  const { field } = source;
  if (field !== null && photoCommentFields.includes(field)) return describePhotoComment(source);
  if (isMessaging(source)) return describeMessaging(photoappTypes, messagingListOf(source), source);
  return describeAct(photoappTypes.other, source);
}

function describePageappChange(source: ItemSource): ItemDescription {
  if (source.field === feedField) return describeFeed(source);
  if (isMessaging(source)) return describeMessaging(pageappTypes, messagingListOf(source), source);
  return describeAct(pageappTypes.other, source);
}

/** The upstream sends some messaging items as changes, of a field for each kind. */
function messagingListOf({ field }: ItemSource): string {
  return field === standbyList ? standbyList : messagingList;
}

const accountEnvelope = {
  resource: { within: 'entry', path: ['id'] },
  idKey: 'id',
  entryLists: [messagingList, standbyList],
  valueLists: [],
} as const;

const products: readonly ProductVocabulary[] = [
  {
    channelType: 'chatapp',
    objects: ['chatapp', ...upstreamObjects.chatapp],
    resource: { within: 'value', path: ['metadata', 'phone_number_id'] },
    idKey: 'id',
    entryLists: [],
    valueLists: [messageList, statusList],
    people: chatappPeople,
    otherEventType: 'chatapp.other.received',
    describeListed: describeChatappItem,
    describeChange: describeChatappChange,
  },
  {
    ...accountEnvelope,
    channelType: 'photoapp',
    objects: ['photoapp', ...upstreamObjects.photoapp],
    otherEventType: photoappTypes.other,
    describeListed: (list, source) => describeMessaging(photoappTypes, list, source),
    describeChange: describePhotoappChange,
  },
  {
    ...accountEnvelope,
    channelType: 'pageapp',
    objects: ['pageapp', ...upstreamObjects.pageapp],
    otherEventType: pageappTypes.other,
    describeListed: (list, source) => describeMessaging(pageappTypes, list, source),
    describeChange: describePageappChange,
  },
];

export const platformVocabulary: EnvelopeVocabulary = {
  objectKey: 'object',
  entryKey: 'entry',
  changesKey: 'changes',
  fieldKey: 'field',
  valueKey: 'value',
  timeKey: 'time',
  products,
};
