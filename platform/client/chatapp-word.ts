/**
 * What a chatapp body names its product by. Callers may write the neutral word or the upstream's; the platform gets the
 * installation's word, which is the upstream's where the settings name no other.
 */
export const chatappWordField = 'messaging_product';
export const neutralChatappWord = 'chatapp';
const upstreamChatappWord = 'whatsapp';

/** The word that the platform gets; an empty setting means the upstream's. */
export function chatappWordOf(setting: string | undefined): string {
  return setting === undefined || setting === '' ? upstreamChatappWord : setting;
}

/** Whether a caller may write it, where `sent` is what the platform gets. */
export function isChatappWord(value: unknown, sent: string): boolean {
  return value === sent || value === neutralChatappWord || value === upstreamChatappWord;
}
