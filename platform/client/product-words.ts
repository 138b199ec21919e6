/** The `platform` parameter of conversation lists. */
export const conversationPlatforms = { photoapp: 'instagram', pageapp: 'messenger' } as const;

export const senderActions = { read: 'mark_seen', typing: 'typing_on' } as const;

/** Hosts besides the API's own that store files and receive uploads. */
export const fileHosts: readonly string[] = ['fbsbx.com', 'fbcdn.net', 'facebook.com', 'instagram.com', 'whatsapp.net'];
