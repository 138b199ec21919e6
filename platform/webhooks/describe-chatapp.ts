import { dedupeText } from '../../contract/envelope/vocabulary.ts';
import type { ItemDescription, ItemSource } from '../../contract/envelope/vocabulary.ts';
import { child, idText } from '../../contract/envelope/json-node.ts';

const STATUSES = 'statuses';

export function describeChatappItem(list: string, source: ItemSource): ItemDescription {
  return list === STATUSES ? describeStatus(source) : describeMessage(source);
}

function describeMessage({ json, node }: ItemSource): ItemDescription {
  const id = idText(json, child(json, node, 'id'));
  const sender = idText(json, child(json, node, 'from')) ?? idText(json, child(json, node, 'from_user_id'));
  return {
    eventType: 'chatapp.message.received',
    conversation: idText(json, child(json, node, 'group_id')) ?? sender,
    sender,
    platformMessageId: id,
    dedupe: id === null ? null : dedupeText('message', id),
  };
}

/** In a group, a status concerns one participant, and several may share a second. */
function describeStatus({ json, node }: ItemSource): ItemDescription {
  const id = idText(json, child(json, node, 'id'));
  const discriminator = [
    idText(json, child(json, node, 'status')),
    idText(json, child(json, node, 'timestamp')),
    idText(json, child(json, node, 'recipient_participant_id')),
  ];
  return {
    eventType: 'chatapp.message.status',
    conversation:
      idText(json, child(json, node, 'recipient_id')) ?? idText(json, child(json, node, 'recipient_user_id')),
    sender: null,
    platformMessageId: id,
    dedupe: id === null ? null : dedupeText('status', id, discriminator),
  };
}

export function describeChatappChange(): ItemDescription {
  const eventType = 'chatapp.other.received';
  return { eventType, conversation: null, sender: null, platformMessageId: null, dedupe: null };
}
