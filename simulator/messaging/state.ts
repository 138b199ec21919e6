import type { ChannelType } from '../../contract/event-types.ts';
import type { Accounts } from '../consent/accounts.ts';
import type { ApiCall } from '../scripted-api/api.ts';
import { objectAt, textAt, type CallParameters } from '../scripted-api/parameters.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import { neutralWords, upstreamWords } from '../webhooks/envelope.ts';
import type { JsonObject } from '../webhooks/item.ts';
import type { ChatappMedia } from './chatapp-media.ts';
import type { MessagingScript, MessagingSettings, MessagingTypes } from './control.ts';
import type { MessagingWebhooks, SentMessage } from './webhooks.ts';
import type { MessagingWindows } from './windows.ts';

export type SentAction = Pick<SentMessage, 'product' | 'account' | 'to' | 'type' | 'body' | 'atMs'>;

export interface MessagingState {
  readonly script: MessagingScript;
  readonly sent: Log<SentMessage>;
  readonly actions: Log<SentAction>;
  readonly windows: MessagingWindows;
  readonly webhooks: MessagingWebhooks;
  readonly media: ChatappMedia;
  readonly profiles: Map<string, JsonObject>;
  readonly accounts: Accounts;
  /** Returns who wrote a comment, and when. */
  readonly commentOf: (id: string) => { readonly from: string; readonly atMs: number } | undefined;
  /** Receives each accepted direct message with its recipient. */
  readonly onDirect: (message: SentMessage, recipientId: string) => void;
  readonly now: () => number;
}

export type MessagingCall = ApiCall<MessagingTypes>;

/** The oldest are dropped first. */
const MAX_KEPT = 10_000;

export type Log<Item> = ReturnType<typeof createLog<Item>>;

export function createLog<Item>() {
  let items: Item[] = [];
  return {
    add(item: Item): void {
      items.push(item);
      // Dropped in bulk, because dropping one by one would copy the list for each item.
      if (items.length >= 2 * MAX_KEPT) items = items.slice(-MAX_KEPT);
    },
    list: (): readonly Item[] => [...items],
    clear(): void {
      items = [];
    },
  };
}

export function done(body: JsonObject): Effect {
  return { body };
}

export function bodyOf({ values }: CallParameters): JsonObject {
  const { access_token: _token, appsecret_proof: _proof, ...body } = values;
  return body;
}

/** Returns the names in the parameter `fields`. */
export function fieldNames(values: JsonObject): readonly string[] | undefined {
  return textAt(values, 'fields')
    ?.split(',')
    .map((name) => name.trim());
}

const neutralWord = neutralWords.chatapp.messagingProduct ?? '';
const realWord = upstreamWords.chatapp.messagingProduct ?? '';

export function chatappWord(values: JsonObject, { words }: Pick<MessagingSettings, 'words'>): string {
  const word = textAt(values, 'messaging_product');
  if (word === undefined) throw invalidParameter('The parameter messaging_product is required.');
  const accepted = words === 'real' ? [realWord] : [neutralWord, realWord];
  if (accepted.includes(word)) return word;
  throw invalidParameter(`Param messaging_product must be one of {${accepted.join(', ')}} - got "${word}".`);
}

export function defaultWord({ words }: Pick<MessagingSettings, 'words'>): string {
  return words === 'real' ? realWord : neutralWord;
}

export function isRealWord(word: string): boolean {
  return word === realWord;
}

/** The first digit decides, then the parameters. */
export function productOf(account: string, values: JsonObject): ChannelType {
  return firstDigits[account.charAt(0)] ?? (values['messaging_product'] === undefined ? 'pageapp' : 'chatapp');
}

const firstDigits: Readonly<Record<string, ChannelType>> = { 1: 'chatapp', 2: 'photoapp', 3: 'pageapp' };

export const recipientKeys = ['id', 'comment_id', 'post_id', 'user_ref'] as const;

export function recipientIn(values: JsonObject): string | undefined {
  const recipient = objectAt(values, 'recipient') ?? {};
  return textAt(values, 'to') ?? recipientKeys.map((key) => textAt(recipient, key)).find((text) => text !== undefined);
}

export function isAction(values: JsonObject): boolean {
  return values['status'] !== undefined || values['sender_action'] !== undefined;
}

/** A typing indicator comes with a read mark and takes precedence. */
export function actionType(values: JsonObject): string {
  if (objectAt(values, 'typing_indicator')) return 'typing';
  return textAt(values, 'sender_action') ?? 'read';
}
