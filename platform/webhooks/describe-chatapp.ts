import { keyWords } from '../../contract/envelope/vocabulary.ts';
import type { AccountNotice, ItemDescription, ItemSource } from '../../contract/envelope/vocabulary.ts';
import { ABSENT, child, idText } from '../../contract/envelope/json-node.ts';
import { eventFlagsText } from '../../contract/deliveries/event-flags.ts';
import { plainPerson } from '../../contract/operations/person-id.ts';
import { isFromBusiness } from './chatapp-people.ts';
import {
  hasTimestamp,
  accountStateFields,
  addressBookList,
  deletedType,
  messageList,
  messagesField,
  statusList,
  threadList,
} from './wire.ts';

export function describeChatappItem(list: string, source: ItemSource): ItemDescription {
  const described = describe(list, source);
  const isTimed = described.platformMessageId !== null || hasTimestamp(source);
  return {
    ...described,
    key: { words: keyWords(source.field ?? messagesField, list), node: source.node, canRepeat: !isTimed },
  };
}

type Described = Omit<ItemDescription, 'key'>;

function describe(list: string, source: ItemSource): Described {
  switch (list) {
    case messageList:
      return describeMessage(source);
    case statusList:
      return describeStatus(source);
    default:
      return describeOther(list, source);
  }
}

function describeMessage(source: ItemSource): Described {
  const { json, node } = source;
  return {
    eventType: isMessages(source) ? 'chatapp.message.received' : 'chatapp.other.received',
    ...partiesOf(messageList, source),
    platformMessageId: idText(json, child(json, node, 'id')),
  };
}

function describeStatus(source: ItemSource): Described {
  const { json, node, personIds } = source;
  const [person = null] = personIds;
  const recipient = idText(json, child(json, node, 'recipient_id'));
  const isPerson = recipient === null || personIds.includes(plainPerson(recipient));
  return {
    eventType: isMessages(source) ? 'chatapp.message.status' : 'chatapp.other.received',
    conversation: isPerson ? person : recipient,
    sender: null,
    personIds,
    platformMessageId: idText(json, child(json, node, 'id')),
  };
}

/** Calls, preferences, messages that the business wrote from its phone, its history and its address book. */
function describeOther(list: string, source: ItemSource): Described {
  const { json, node } = source;
  return {
    eventType: 'chatapp.other.received',
    ...partiesOf(list, source),
    platformMessageId: list === threadList ? null : idText(json, child(json, node, 'id')),
  };
}

/** Other fields use the same lists, for example for the states of a call. A forwarder may omit the field. */
function isMessages({ field }: ItemSource): boolean {
  return field === null || field === messagesField;
}

export function describeChatappChange(source: ItemSource): ItemDescription {
  const { field, node, personIds } = source;
  const [person = null] = personIds;
  const notice = noticeOf(source);
  return {
    eventType: 'chatapp.other.received',
    conversation: person,
    sender: person,
    personIds,
    platformMessageId: null,
    key: { words: keyWords(field), node, canRepeat: true },
    ...(notice && { notice }),
  };
}

/** A value with metadata is about a number. Notices about partners name the account in the value. */
function noticeOf({ json, node, entry, field }: ItemSource): AccountNotice | undefined {
  if (field === null || field === messagesField || child(json, node, 'metadata') !== ABSENT) return undefined;
  const named = idText(json, child(json, child(json, node, 'waba_info'), 'waba_id'));
  const businessAccountId = named ?? idText(json, child(json, entry, 'id'));
  return businessAccountId === null ? undefined : { businessAccountId, needsCheck: accountStateFields.includes(field) };
}

type Parties = Pick<ItemDescription, 'conversation' | 'sender' | 'personIds' | 'eventFlags'>;

function partiesOf(list: string, source: ItemSource): Parties {
  const { json, node, personIds } = source;
  const [person = null] = personIds;
  const conversation = idText(json, child(json, node, 'group_id')) ?? person;
  return { conversation, sender: senderOf(list, source), personIds, eventFlags: flagsOf(list, source) };
}

function flagsOf(list: string, source: ItemSource): string | null {
  const { json, node } = source;
  const unsend = idText(json, child(json, node, 'type')) === deletedType;
  return eventFlagsText({ echo: isFromBusiness(list, source), unsend });
}

function senderOf(list: string, source: ItemSource): string | null {
  const { json, node, personIds } = source;
  if (list === addressBookList || list === threadList) return null;
  if (!isFromBusiness(list, source)) return personIds[0] ?? null;
  const business = idText(json, child(json, node, 'from'));
  return business === null ? null : plainPerson(business);
}
