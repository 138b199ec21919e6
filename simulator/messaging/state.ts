import type { ChannelType } from '../../contract/event-types.ts';
import type { Accounts, NumberFacts, PhoneNumber } from '../consent/accounts.ts';
import type { ApiCall } from '../scripted-api/api.ts';
import { textAt, type CallParameters } from '../scripted-api/parameters.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import type { JsonObject } from '../webhooks/item.ts';
import { neutralWords, upstreamWords } from '../webhooks/object-words.ts';
import type { ChatappMedia } from './chatapp-media.ts';
import type { MessageLog, SentMessage } from './message-log.ts';
import type { MessagingScript, MessagingSettings } from './script.ts';
import type { MessagingTypes } from './subject.ts';
import type { MessagingThrottle } from './throttle.ts';
import type { MessagingWebhooks } from './webhooks.ts';
import type { MessagingWindows } from './windows.ts';

export interface MessagingState {
  readonly script: MessagingScript;
  readonly log: MessageLog;
  readonly windows: MessagingWindows;
  readonly throttle: MessagingThrottle;
  readonly webhooks: MessagingWebhooks;
  readonly media: ChatappMedia;
  readonly profiles: Map<string, JsonObject>;
  readonly numberSettings: Map<string, NumberSettings>;
  /** Welcome flows by account. */
  readonly flows: Map<string, readonly JsonObject[]>;
  readonly onDirect: (message: SentMessage, recipientId: string) => void;
  readonly numbers: () => readonly PhoneNumber[];
  readonly factsOf: (numberId: string) => NumberFacts;
  readonly register: Accounts['register'];
  readonly now: () => number;
}

/** What a number stores besides its profile: blocked users, the shop, short links and the automation. */
export interface NumberSettings {
  readonly blocked: Set<string>;
  readonly shop: { catalog: boolean; cart: boolean };
  readonly links: Map<string, string>;
  automation: JsonObject;
}

export type MessagingCall = ApiCall<MessagingTypes>;

export function done(body: JsonObject): Effect {
  return { body };
}

export function bodyOf({ values }: CallParameters): JsonObject {
  const { access_token: _token, appsecret_proof: _proof, ...body } = values;
  return body;
}

const neutralWord = neutralWords.chatapp.messagingProduct ?? '';
const realWord = upstreamWords.chatapp.messagingProduct ?? '';

export function chatappWord(values: JsonObject, { words }: Pick<MessagingSettings, 'words'>): string {
  const word = textAt(values, 'messaging_product');
  if (word === undefined) throw invalidParameter('The parameter messaging_product is required.');
  const accepted = { neutral: [neutralWord], real: [realWord], both: [neutralWord, realWord] }[words];
  if (accepted.includes(word)) return word;
  throw invalidParameter(`Param messaging_product must be one of {${accepted.join(', ')}} - got "${word}".`);
}

export function defaultWord({ words }: Pick<MessagingSettings, 'words'>): string {
  return words === 'real' ? realWord : neutralWord;
}

export function isRealWord(word: string): boolean {
  return word === realWord;
}

/** The script decides, then the first digit, then the parameters. */
export function productOf(
  account: string,
  { settings, values }: { settings: MessagingSettings; values: JsonObject },
): ChannelType {
  const scripted = Object.hasOwn(settings.accounts, account) ? settings.accounts[account] : undefined;
  const usual = firstDigits[account.charAt(0)];
  return scripted ?? usual ?? (values['messaging_product'] === undefined ? 'pageapp' : 'chatapp');
}

const firstDigits: Readonly<Record<string, ChannelType>> = { 1: 'chatapp', 2: 'photoapp', 3: 'pageapp' };
