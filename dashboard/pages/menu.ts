export interface MenuEntry {
  readonly label: string;
  /** What follows the ids in the address; empty for the first page. */
  readonly page: string;
  /** Only the organization's admins are shown it: the service refuses everybody else. */
  readonly isForAdmins?: true;
}

/** What the menu offers within a workspace, in this order. */
export const workspaceMenu: readonly MenuEntry[] = [
  { label: 'Overview', page: '' },
  { label: 'Channels', page: 'channels' },
  { label: 'Deliveries', page: 'deliveries' },
  { label: 'Replays', page: 'replays' },
  { label: 'Members', page: 'members' },
  { label: 'Workspace settings', page: 'settings' },
];

export const organizationMenu: readonly MenuEntry[] = [
  { label: 'Workspaces', page: 'workspaces' },
  { label: 'Customers', page: 'customers' },
  { label: 'Onboarding links', page: 'onboarding', isForAdmins: true },
  { label: 'Members', page: 'members', isForAdmins: true },
  { label: 'Invitations', page: 'invitations', isForAdmins: true },
  { label: 'API keys', page: 'keys', isForAdmins: true },
  { label: 'Agents', page: 'agents' },
  { label: 'Replays', page: 'replays', isForAdmins: true },
  { label: 'Audit log', page: 'audit', isForAdmins: true },
  { label: 'Settings', page: 'settings' },
];
