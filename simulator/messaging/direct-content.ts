import type { ChannelType } from '../../contract/event-types.ts';
import { isObject, objectAt, textAt } from '../scripted-api/parameters.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import type { JsonObject } from '../webhooks/item.ts';

type DirectProduct = Exclude<ChannelType, 'chatapp'>;

const tags = ['CONFIRMED_EVENT_UPDATE', 'POST_PURCHASE_UPDATE', 'ACCOUNT_UPDATE', 'HUMAN_AGENT'];
const attachmentTypes: Readonly<Record<DirectProduct, readonly string[]>> = {
  pageapp: ['image', 'audio', 'video', 'file', 'template'],
  photoapp: ['image', 'audio', 'video', 'file', 'template', 'like_heart', 'MEDIA_SHARE'],
};
const MAX_IMAGES = 10;
const MAX_QUICK_REPLIES = 13;

const lengths: Readonly<Record<DirectProduct, { max: number; of: (text: string) => number }>> = {
  pageapp: { max: 2_000, of: (text) => [...text].length },
  photoapp: { max: 1_000, of: (text) => Buffer.byteLength(text) },
};

export function checkMessage(product: DirectProduct, body: JsonObject): void {
  const message = objectAt(body, 'message');
  if (!message) throw invalidParameter('The parameter message is required.');
  checkKind(product, body);
  const text = message['text'];
  const attachments = attachmentsOf(message);
  if ((text === undefined) === (attachments.length === 0)) {
    throw invalidParameter('A message has either a text or attachments.');
  }
  if (text !== undefined) checkText(product, text);
  if (attachments.length > MAX_IMAGES) throw invalidParameter(`A message has at most ${MAX_IMAGES} attachments.`);
  for (const attachment of attachments) checkAttachment(product, attachment);
  if (attachments.length > 1 && attachments.some((each) => !isObject(each) || each['type'] !== 'image')) {
    throw invalidParameter('Only images come several to a message.');
  }
  const replies = message['quick_replies'];
  if (replies !== undefined && !(Array.isArray(replies) && replies.length <= MAX_QUICK_REPLIES)) {
    throw invalidParameter(`Param quick_replies must be a list of at most ${MAX_QUICK_REPLIES}.`);
  }
}

export function tagOf(body: JsonObject): string | undefined {
  return body['messaging_type'] === 'MESSAGE_TAG' || body['messaging_type'] === undefined
    ? textAt(body, 'tag')
    : undefined;
}

function checkKind(product: DirectProduct, body: JsonObject): void {
  const kind = body['messaging_type'];
  const kinds = ['RESPONSE', 'UPDATE', 'MESSAGE_TAG'];
  if (kind !== undefined && !kinds.includes(String(kind))) {
    throw invalidParameter(`Param messaging_type must be one of {${kinds.join(', ')}}.`);
  }
  const tag = textAt(body, 'tag');
  if (kind === 'MESSAGE_TAG' && tag === undefined) throw invalidParameter('The parameter tag is required.');
  const known = product === 'pageapp' ? tags : ['HUMAN_AGENT'];
  if (tag !== undefined && !known.includes(tag))
    throw invalidParameter(`Param tag must be one of {${known.join(', ')}}.`);
}

function attachmentsOf(message: JsonObject): readonly unknown[] {
  const { attachment, attachments } = message;
  if (attachment !== undefined && attachments !== undefined) {
    throw invalidParameter('Only one of attachment and attachments is allowed.');
  }
  const list: unknown = attachments ?? attachment;
  if (list === undefined) return [];
  return Array.isArray(list) ? list : [list];
}

function checkText(product: DirectProduct, text: unknown): void {
  const { max, of } = lengths[product];
  if (typeof text !== 'string' || text.trim() === '') throw invalidParameter('Param message[text] must be a text.');
  if (of(text) > max) throw invalidParameter(`Length of param message[text] must be less than or equal to ${max}`);
}

function checkAttachment(product: DirectProduct, attachment: unknown): void {
  const type = isObject(attachment) ? textAt(attachment, 'type') : undefined;
  if (!isObject(attachment) || type === undefined || !attachmentTypes[product].includes(type)) {
    throw invalidParameter(`Param attachment[type] must be one of {${attachmentTypes[product].join(', ')}}.`);
  }
  if (type === 'like_heart') return;
  const payload = objectAt(attachment, 'payload');
  if (!payload) throw invalidParameter('The parameter attachment[payload] is required.');
  if (type === 'template' || textAt(payload, 'attachment_id') !== undefined) return;
  if (type === 'MEDIA_SHARE') {
    if (textAt(payload, 'id') === undefined)
      throw invalidParameter('The parameter attachment[payload][id] is required.');
    return;
  }
  const url = textAt(payload, 'url') ?? '';
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw invalidParameter('Param attachment[payload][url] is no URL.');
}
