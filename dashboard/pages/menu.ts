export interface MenuEntry {
  readonly label: string;
  readonly page: string;
  /** Shown only to organization admins; the API refuses others. */
  readonly isForAdmins?: true;
}

export const workspaceMenu: readonly MenuEntry[] = [
  { label: 'Overview', page: '' },
  { label: 'Channels', page: 'channels' },
  { label: 'Deliveries', page: 'deliveries' },
  { label: 'Replays', page: 'replays' },
  { label: 'Alerts', page: 'alerts' },
  { label: 'Members', page: 'members' },
  { label: 'Workspace settings', page: 'settings' },
];

export const organizationMenu: readonly MenuEntry[] = [
  { label: 'All workspaces', page: 'overview' },
  { label: 'Workspaces', page: 'workspaces' },
  { label: 'Customers', page: 'customers' },
  { label: 'Alerts', page: 'alerts' },
  { label: 'Onboarding links', page: 'onboarding', isForAdmins: true },
  { label: 'Members', page: 'members', isForAdmins: true },
  { label: 'Invitations', page: 'invitations', isForAdmins: true },
  { label: 'API keys', page: 'keys', isForAdmins: true },
  { label: 'Agents', page: 'agents' },
  { label: 'Replays', page: 'replays', isForAdmins: true },
  { label: 'Usage', page: 'usage', isForAdmins: true },
  { label: 'Privacy', page: 'erasures', isForAdmins: true },
  { label: 'Audit log', page: 'audit', isForAdmins: true },
  { label: 'Settings', page: 'settings' },
];
