/**
 * The field that names the product in chatapp bodies. Callers may use the neutral word or the upstream's word. The
 * platform receives the configured word, by default the upstream's.
 */
export const chatappWordField = 'messaging_product';
export const neutralChatappWord = 'chatapp';
const upstreamChatappWord = 'whatsapp';

/** Returns the word sent to the platform. An empty setting means the upstream's word. */
export function chatappWordOf(setting: string | undefined): string {
  return setting === undefined || setting === '' ? upstreamChatappWord : setting;
}

/** Returns true if callers may use this word; `sent` is the word sent to the platform. */
export function isChatappWord(value: unknown, sent: string): boolean {
  return value === sent || value === neutralChatappWord || value === upstreamChatappWord;
}
