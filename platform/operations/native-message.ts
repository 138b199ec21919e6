import { isObjectId } from '../ownership/ids.ts';
import { judgeParameter } from '../ownership/parameters.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import { chatappWordField, isChatappWord } from '../client/chatapp-word.ts';

export type NativeMessage = Readonly<Record<string, unknown>>;

/** A message in the platform's own words that may not be passed on; the text says why. */
export class MessageNotAllowed extends Error {
  override readonly name = 'MessageNotAllowed';
}

interface MessageNeeds {
  readonly type: ChannelType;
  /** What the platform is told that the product is. */
  readonly chatappWord: string;
}

/** Checks a message in the platform's own words as far as it could do more than send, and names its product. */
export function nativeMessage({ type, chatappWord }: MessageNeeds, message: NativeMessage): NativeMessage {
  for (const name of Object.keys(message)) {
    if (judgeParameter(name) !== 'fine') throw new MessageNotAllowed(`body.${name}: does not belong into a message`);
  }
  return type === 'chatapp' ? chatappMessage(message, chatappWord) : accountMessage(type, message);
}

function chatappMessage(message: NativeMessage, chatappWord: string): NativeMessage {
  const { [chatappWordField]: word = chatappWord, status } = message;
  if (!isChatappWord(word, chatappWord)) {
    throw new MessageNotAllowed(`body.${chatappWordField}: is none of this channel`);
  }
  if (status !== undefined) throw new MessageNotAllowed('body.status: is for /messages/{id}/read');
  if (typeof message.type !== 'string') throw new MessageNotAllowed('body.type: is missing');
  return { ...message, [chatappWordField]: chatappWord };
}

/** Who gets it is a person: comments and posts are answered by their own routes, which see whose they are. */
function accountMessage(type: ChannelType, message: NativeMessage): NativeMessage {
  const { recipient } = message;
  if (!isRecord(recipient)) throw new MessageNotAllowed('body.recipient: is missing');
  for (const name of Object.keys(recipient)) {
    if (name === 'comment_id' || name === 'post_id') {
      throw new MessageNotAllowed(`body.recipient.${name}: is for /${type}/comments/{id}/replies with private`);
    }
  }
  if (!('message' in message) && !('sender_action' in message)) {
    throw new MessageNotAllowed('body.message: is missing');
  }
  const isPageMessage = type === 'pageapp' && 'message' in message;
  return isPageMessage ? { messaging_type: 'RESPONSE', ...message } : message;
}

/** Files that a chatapp message names by their ids, wherever in it they stand. */
export function namedFiles(message: NativeMessage): string[] {
  const found: string[] = [];
  const waiting: unknown[] = [message];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...value);
    if (!isRecord(value)) continue;
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
/** What a file may stand in: the platform reads them as JSON within text too. */
const structureWords: ReadonlySet<string> = new Set([
  ...fileWords,
  ...['template', 'interactive', 'components', 'parameters', 'header', 'action', 'cards'],
]);

/** An id may be a number; what is neither a number nor a text is no id. */
function idOfFile(file: unknown): string[] {
  if (!isRecord(file) || file.id === undefined || file.id === null) return [];
  return [typeof file.id === 'string' || typeof file.id === 'number' ? String(file.id) : ''];
}

function isJsonText(value: unknown): boolean {
  return typeof value === 'string' && /^\s*[[{]/.test(value);
}

function isRecord(value: unknown): value is NativeMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
