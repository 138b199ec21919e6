/** The records whose IDs the shell completes. `profile` is local. */
export const idKinds = ['channel', 'workspace', 'delivery', 'replay', 'alert', 'subscription', 'profile'] as const;
export type IdKind = (typeof idKinds)[number];
