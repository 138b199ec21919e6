/**
 * Callers may use the neutral or the upstream's product word. The platform receives the configured one, by default the
 * upstream's.
 */
export const chatappWordField = 'messaging_product';
export const neutralChatappWord = 'chatapp';
const upstreamChatappWord = 'whatsapp';

export function chatappWordOf(setting: string | undefined): string {
  return setting === undefined || setting === '' ? upstreamChatappWord : setting;
}

export function isChatappWord(value: unknown, sent: string): boolean {
  return value === sent || value === neutralChatappWord || value === upstreamChatappWord;
}
