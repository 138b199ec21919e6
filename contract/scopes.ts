/** What a limited credential may be allowed (interface, "Auth"). A credential without a list has all of them. */
export const scopes = [
  'workspace.read',
  'workspace.manage',
  'channel.read',
  'channel.manage',
  'channel.connect',
  'webhook.manage',
  'messages.read',
  'message.send',
  'deliveries.read',
  'deliveries.replay',
  'credentials.manage',
] as const;
export type Scope = (typeof scopes)[number];
