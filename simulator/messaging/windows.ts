import { isObject, listAt, objectAt, textAt } from '../scripted-api/parameters.ts';
import type { JsonObject } from '../webhooks/item.ts';

/** A person's last message opens a window of 24 hours. A comment may be answered privately once in seven days. */
export interface MessagingWindows {
  /** Records the messages and comments of an outgoing webhook. */
  recordWebhook(webhook: Uint8Array, clock: { nowMs: number; realNowMs: number }): void;
  recordMessage(account: string, from: string, atMs: number): void;
  recordComment(id: string, comment: Comment): void;
  comment(id: string): Comment | undefined;
  isOpen(person: { account: string; from: string }, { withinMs, nowMs }: { withinMs: number; nowMs: number }): boolean;
  recordReply(id: string): void;
  hasReply(id: string): boolean;
  clear(): void;
}

export interface Comment {
  readonly from?: string | undefined;
  readonly atMs: number;
}

export const DAY_MS = 86_400_000;

/** Per kind. The oldest are dropped first. */
const MAX_KEPT = 50_000;

export function createMessagingWindows(commentOf: (id: string) => Comment | undefined): MessagingWindows {
  const lastMessages = new Map<string, number>();
  const comments = new Map<string, Comment>();
  const replies = new Map<string, true>();

  const windows: MessagingWindows = {
    recordWebhook(webhook, { nowMs, realNowMs }) {
      // Webhooks carry real time, so only their age counts.
      const shifted = (atMs: number | undefined): number => nowMs - Math.max(0, realNowMs - (atMs ?? realNowMs));
      for (const entry of entriesOf(webhook)) recordEntry(windows, entry, shifted);
    },
    recordMessage: (account, from, atMs) => remember(lastMessages, `${account} ${from}`, atMs),
    recordComment: (id, comment) => remember(comments, id, comment),
    comment: (id) => comments.get(id) ?? commentOf(id),
    isOpen({ account, from }, { withinMs, nowMs }) {
      const lastMs = lastMessages.get(`${account} ${from}`);
      return lastMs !== undefined && nowMs - lastMs < withinMs;
    },
    recordReply: (id) => remember(replies, id, true),
    hasReply: (id) => replies.has(id),
    clear() {
      for (const each of [lastMessages, comments, replies]) each.clear();
    },
  };
  return windows;
}

function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  memory.delete(key);
  memory.set(key, value);
  const oldest = memory.keys().next();
  if (memory.size > MAX_KEPT && !oldest.done) memory.delete(oldest.value);
}

function entriesOf(webhook: Uint8Array): JsonObject[] {
  try {
    const body: unknown = JSON.parse(Buffer.from(webhook).toString('utf8'));
    return isObject(body) ? objectsAt(body, 'entry') : [];
  } catch {
    return []; // Tests may post arbitrary bytes.
  }
}

type Noted = (atMs: number | undefined) => number;

function recordEntry(windows: MessagingWindows, entry: JsonObject, shifted: Noted): void {
  const account = textAt(entry, 'id') ?? '';
  const shared = { account, atMs: milliseconds(entry['time']) };
  for (const item of [...objectsAt(entry, 'messaging'), ...objectsAt(entry, 'standby')]) {
    const from = textAt(objectAt(item, 'sender') ?? {}, 'id');
    const isWritten = ['message', 'postback', 'reaction'].some((kind) => item[kind] !== undefined);
    if (from !== undefined && from !== account && isWritten) {
      windows.recordMessage(account, from, shifted(milliseconds(item['timestamp'])));
    }
  }
  // Comments may be on the entry instead of in a change.
  for (const { field, value } of [entry, ...objectsAt(entry, 'changes')]) {
    if (!isObject(value)) continue;
    if (field === 'messages') noteNumber(windows, value, shifted);
    else recordCommentItem(windows, { value, atMs: shifted(milliseconds(value['created_time']) ?? shared.atMs) });
  }
}

function noteNumber(windows: MessagingWindows, value: JsonObject, shifted: Noted): void {
  const number = textAt(objectAt(value, 'metadata') ?? {}, 'phone_number_id');
  if (number === undefined) return;
  for (const message of objectsAt(value, 'messages')) {
    const people = ['from', 'from_user_id'].flatMap((member) => textAt(message, member) ?? []);
    for (const from of people) windows.recordMessage(number, from, shifted(milliseconds(message['timestamp'])));
  }
}

function recordCommentItem(windows: MessagingWindows, { value, atMs }: { value: JsonObject; atMs: number }): void {
  const from = textAt(objectAt(value, 'from') ?? {}, 'id');
  const id = textAt(value, 'comment_id') ?? textAt(value, 'id') ?? textAt(value, 'post_id');
  if (from !== undefined && id !== undefined) windows.recordComment(id, { from, atMs });
}

function objectsAt(value: JsonObject, name: string): JsonObject[] {
  return (listAt(value, name) ?? []).filter(isObject);
}

/** The platform sends seconds or milliseconds, as number or text. */
function milliseconds(time: unknown): number | undefined {
  const value = typeof time === 'string' || typeof time === 'number' ? Number(time) : NaN;
  if (!Number.isFinite(value)) return undefined;
  return value < 1e11 ? value * 1000 : value;
}
