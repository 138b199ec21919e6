import { keyWords } from '../../contract/envelope/vocabulary.ts';
import type { AccountNotice, ItemDescription, ItemSource } from '../../contract/envelope/vocabulary.ts';
import { ABSENT, child, idText } from '../../contract/envelope/json-node.ts';
import { hasTimestamp } from './item-times.ts';
import { accountStateFields, messagesField } from './wire.ts';

const STATUSES = 'statuses';

export function describeChatappItem(list: string, source: ItemSource): ItemDescription {
  const described = list === STATUSES ? describeStatus(source) : describeMessage(source);
  const isTimed = described.platformMessageId !== null || hasTimestamp(source);
  return {
    ...described,
    key: { words: keyWords(source.field ?? messagesField, list), node: source.node, canRepeat: !isTimed },
  };
}

type Described = Omit<ItemDescription, 'key'>;

function describeMessage(source: ItemSource): Described {
  const { json, node } = source;
  const sender = idText(json, child(json, node, 'from')) ?? idText(json, child(json, node, 'from_user_id'));
  return {
    eventType: isMessages(source) ? 'chatapp.message.received' : 'chatapp.other.received',
    conversation: idText(json, child(json, node, 'group_id')) ?? sender,
    sender,
    platformMessageId: idText(json, child(json, node, 'id')),
  };
}

function describeStatus(source: ItemSource): Described {
  const { json, node } = source;
  return {
    eventType: isMessages(source) ? 'chatapp.message.status' : 'chatapp.other.received',
    conversation:
      idText(json, child(json, node, 'recipient_id')) ?? idText(json, child(json, node, 'recipient_user_id')),
    sender: null,
    platformMessageId: idText(json, child(json, node, 'id')),
  };
}

/** Other fields use the same lists, for example for the states of a call. A forwarder may omit the field. */
function isMessages({ field }: ItemSource): boolean {
  return field === null || field === messagesField;
}

export function describeChatappChange(source: ItemSource): ItemDescription {
  const notice = noticeOf(source);
  return {
    ...{ eventType: 'chatapp.other.received', conversation: null, sender: null, platformMessageId: null },
    key: { words: keyWords(source.field), node: source.node, canRepeat: true },
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
