import { isPhoneNumber, plainPerson } from '../../contract/operations/person-id.ts';
import { isObjectId } from '../ownership/ids.ts';
import { classifyParameter } from '../ownership/parameters.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import { isJsonObject } from '../../contract/is-json-object.ts';
import { chatappWordField, neutralChatappWord, upstreamChatappWord } from '../client/chatapp-word.ts';

export type NativeMessage = Readonly<Record<string, unknown>>;

export class MessageNotAllowed extends Error {
  override readonly name = 'MessageNotAllowed';
}

/** Refuses messages that could do more than send, and sets the product word. */
export function nativeMessage(type: ChannelType, message: NativeMessage): NativeMessage {
  for (const name of Object.keys(message)) {
    if (classifyParameter(name) !== 'fine') throw new MessageNotAllowed(`body.${name}: is not allowed in a message`);
  }
  return type === 'chatapp' ? chatappMessage(message) : accountMessage(type, message);
}

function chatappMessage(message: NativeMessage): NativeMessage {
  const { [chatappWordField]: word = upstreamChatappWord, status } = message;
  if (word !== upstreamChatappWord && word !== neutralChatappWord) {
    throw new MessageNotAllowed(`body.${chatappWordField}: does not match the channel's product`);
  }
  if (status !== undefined) throw new MessageNotAllowed('body.status: is for /messages/{id}/read');
  if (typeof message.type !== 'string') throw new MessageNotAllowed('body.type: is required');
  return { ...withRecipient(message), [chatappWordField]: upstreamChatappWord };
}

/** The platform answers 200 to a user id in `to`, and loses the message. */
function withRecipient(message: NativeMessage): NativeMessage {
  const { to, ...rest } = message;
  const isPerson = typeof to === 'string' && (rest.recipient_type ?? 'individual') === 'individual';
  if (!isPerson || isPhoneNumber(to) || rest.recipient !== undefined) return message;
  return { ...rest, ...chatappRecipient(to) };
}

/** The member that names a person: the platform takes user ids apart from numbers. */
export function chatappRecipient(to: string): NativeMessage {
  const person = plainPerson(to.trim());
  return isPhoneNumber(person) ? { to: person } : { recipient: person };
}

/** Only users may be recipients: the routes for replies check who owns the comment. */
function accountMessage(type: ChannelType, message: NativeMessage): NativeMessage {
  const { recipient } = message;
  if (!isJsonObject(recipient)) throw new MessageNotAllowed('body.recipient: is required');
  for (const name of Object.keys(recipient)) {
    if (name === 'comment_id' || name === 'post_id') {
      throw new MessageNotAllowed(`body.recipient.${name}: is for /${type}/comments/{id}/replies with private`);
    }
  }
  if (!('message' in message) && !('sender_action' in message)) {
    throw new MessageNotAllowed('body.message: is required');
  }
  const isPageMessage = type === 'pageapp' && 'message' in message;
  return isPageMessage ? { messaging_type: 'RESPONSE', ...message } : message;
}

export function namedFiles(message: NativeMessage): string[] {
  const found: string[] = [];
  const waiting: unknown[] = [message];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...value);
    if (!isJsonObject(value)) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (fileWords.has(name)) found.push(...idOfFile(inner));
      if (isJsonText(inner) && structureWords.has(name)) {
        throw new MessageNotAllowed(`body: ${name} is written as text`);
      }
      waiting.push(inner);
    }
  }
  for (const id of found) if (!isObjectId(id)) throw new MessageNotAllowed('body: names a file by what is no id');
  return [...new Set(found)];
}
const fileWords: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);
/** May contain a file. The platform also accepts these objects as JSON in a string. */
const structureWords: ReadonlySet<string> = new Set([
  ...fileWords,
  ...['template', 'interactive', 'components', 'parameters', 'header', 'action', 'cards'],
]);

/** The caller refuses the empty id of any other type. */
function idOfFile(file: unknown): string[] {
  if (!isJsonObject(file) || file.id === undefined || file.id === null) return [];
  return [typeof file.id === 'string' || typeof file.id === 'number' ? String(file.id) : ''];
}

function isJsonText(value: unknown): boolean {
  return typeof value === 'string' && /^\s*[[{]/.test(value);
}
