import type { ChannelType } from '../../contract/event-types.ts';

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

export const conversationPlatforms = { photoapp: 'instagram', pageapp: 'messenger' } as const;

export const senderActions = { read: 'mark_seen', typing: 'typing_on' } as const;

/** These hosts store files and receive uploads, besides the API's own. */
export const fileHosts: readonly string[] = ['fbsbx.com', 'fbcdn.net', 'facebook.com', 'instagram.com', 'whatsapp.net'];

export const apiVersions: Readonly<Record<ChannelType, string>> = {
  chatapp: 'v22.0',
  photoapp: 'v25.0',
  pageapp: 'v25.0',
};
