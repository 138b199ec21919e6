export const workspaceKinds = ['team', 'customer'] as const;
export type WorkspaceKind = (typeof workspaceKinds)[number];
