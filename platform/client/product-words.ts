export const conversationPlatforms = { photoapp: 'instagram', pageapp: 'messenger' } as const;

export const senderActions = { read: 'mark_seen', typing: 'typing_on' } as const;

/** These hosts store files and receive uploads, besides the API's own. */
export const fileHosts: readonly string[] = ['fbsbx.com', 'fbcdn.net', 'facebook.com', 'instagram.com', 'whatsapp.net'];
