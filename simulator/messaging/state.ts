import type { ChannelType } from '../../contract/event-types.ts';
import type { PhoneNumber } from '../consent/accounts.ts';
import type { ChatappMedia } from './chatapp-media.ts';
import type { MessagingFault } from './control.ts';
import type { MessagingLog } from './message-log.ts';
import { textAt, type CallParameters } from './parameters.ts';
import { invalidParameter } from './refusals.ts';
import type { MessagingScript, MessagingSettings } from './script.ts';
import type { MessagingTarget } from './target.ts';
import type { MessagingThrottle } from './throttle.ts';
import type { MessagingWebhooks } from './webhooks.ts';
import type { MessagingWindows } from './windows.ts';
import { neutralWords, upstreamWords } from '../webhooks/object-words.ts';
import type { JsonObject } from '../webhooks/item.ts';

/** All that the messaging side remembers, and what it does things with. */
export interface MessagingState {
  readonly script: MessagingScript;
  readonly log: MessagingLog;
  readonly windows: MessagingWindows;
  readonly throttle: MessagingThrottle;
  readonly webhooks: MessagingWebhooks;
  readonly media: ChatappMedia;
  /** Of each number that has set one. */
  readonly profiles: Map<string, JsonObject>;
  readonly numbers: () => readonly PhoneNumber[];
  readonly now: () => number;
}

/** A call that was let through. */
export interface MessagingCall {
  readonly target: MessagingTarget;
  readonly parameters: CallParameters;
  readonly token: string;
  /** Scheme, host and port by which the caller reached the platform. */
  readonly origin: string;
  readonly failsLater?: MessagingFault['failsLater'];
}

/** How a call ends at the platform; whether the caller hears of it is another question. */
export interface MessagingAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Answered instead of a body. */
  readonly file?: { readonly mimeType: string; readonly content: Buffer };
}

export function done(body: JsonObject): MessagingAnswer {
  return { status: 200, body };
}

/** The parameters without those that prove who asks. */
export function asked({ values }: CallParameters): JsonObject {
  const { access_token: _token, appsecret_proof: _proof, ...rest } = values;
  return rest;
}

const neutralWord = neutralWords.chatapp.messagingProduct ?? '';
const realWord = upstreamWords.chatapp.messagingProduct ?? '';

/** The word for chatapp that the call uses, if the settings take it. */
export function chatappWord(values: JsonObject, { words }: Pick<MessagingSettings, 'words'>): string {
  const word = textAt(values, 'messaging_product');
  if (word === undefined) throw invalidParameter('The parameter messaging_product is required.');
  const taken = { neutral: [neutralWord], real: [realWord], both: [neutralWord, realWord] }[words];
  if (taken.includes(word)) return word;
  throw invalidParameter(`Param messaging_product must be one of {${taken.join(', ')}} - got "${word}".`);
}

/** The word where the call says none. */
export function usualWord({ words }: Pick<MessagingSettings, 'words'>): string {
  return words === 'real' ? realWord : neutralWord;
}

export function saysRealWord(word: string): boolean {
  return word === realWord;
}

/** Of which product an account is: as the control says, by its first digit, or by what the call says. */
export function productOf(
  account: string,
  { settings, values }: { settings: MessagingSettings; values: JsonObject },
): ChannelType {
  const told = Object.hasOwn(settings.accounts, account) ? settings.accounts[account] : undefined;
  const first = firstDigits[account.charAt(0)];
  return told ?? first ?? (values['messaging_product'] === undefined ? 'pageapp' : 'chatapp');
}

const firstDigits: Readonly<Record<string, ChannelType>> = { 1: 'chatapp', 2: 'photoapp', 3: 'pageapp' };
