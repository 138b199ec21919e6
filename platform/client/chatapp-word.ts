import type { ChannelType } from '../../contract/event-types.ts';

/** Callers may name the product by the neutral or the upstream's word. The platform receives its own. */
export const chatappWordField = 'messaging_product';
export const neutralChatappWord = 'chatapp';
export const upstreamChatappWord = 'whatsapp';

export const conversationPlatforms = { photoapp: 'instagram', pageapp: 'messenger' } as const;

export const senderActions = { read: 'mark_seen', typing: 'typing_on' } as const;

/** These hosts store files and receive uploads, besides the API's own. */
export const fileHosts: readonly string[] = ['fbsbx.com', 'fbcdn.net', 'facebook.com', 'instagram.com', 'whatsapp.net'];

export const apiVersions: Readonly<Record<ChannelType, string>> = {
  chatapp: 'v22.0',
  photoapp: 'v25.0',
  pageapp: 'v25.0',
};
