/** The upstream's words for its products and for its acts, where a call must name them. */

/** Which conversations of an account are meant. */
export const conversationPlatforms = { photoapp: 'instagram', pageapp: 'messenger' } as const;

export const senderActions = { read: 'mark_seen', typing: 'typing_on' } as const;

/** Where the platform keeps files, and takes uploads, besides its API's own host. */
export const fileHosts: readonly string[] = ['fbsbx.com', 'fbcdn.net', 'facebook.com', 'instagram.com', 'whatsapp.net'];
