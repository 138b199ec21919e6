import type { IconName } from '../kit/icon.tsx';

export interface MenuEntry {
  readonly label: string;
  readonly icon: IconName;
  readonly page: string;
  /** Shown only to organization admins; the API refuses others. */
  readonly isForAdmins?: true;
  /** Optional. A page of the organization that its tabs lead to. */
  readonly tab?: string;
}

export const workspaceMenu: readonly MenuEntry[] = [
  { label: 'Overview', icon: 'overview', page: '' },
  { label: 'Channels', icon: 'channel', page: 'channels' },
  { label: 'Deliveries', icon: 'send', page: 'deliveries' },
  { label: 'Replays', icon: 'replay', page: 'replays', tab: 'replays' },
  { label: 'Alerts', icon: 'bell', page: 'alerts', tab: 'alerts' },
  { label: 'Workspace members', icon: 'people', page: 'members' },
  { label: 'Workspace settings', icon: 'settings', page: 'settings' },
];

export const organizationMenu: readonly MenuEntry[] = [
  { label: 'All workspaces', icon: 'overview', page: 'overview' },
  { label: 'Workspaces', icon: 'layers', page: 'workspaces' },
  { label: 'Customers', icon: 'customer', page: 'customers' },
  { label: 'Onboarding links', icon: 'link', page: 'onboarding', isForAdmins: true },
  { label: 'People', icon: 'people', page: 'members', tab: 'invitations', isForAdmins: true },
  { label: 'API keys', icon: 'key', page: 'keys', isForAdmins: true },
  { label: 'Agents', icon: 'agent', page: 'agents' },
  { label: 'Usage', icon: 'usage', page: 'usage', isForAdmins: true },
  { label: 'Privacy', icon: 'shield', page: 'erasures', isForAdmins: true },
  { label: 'Audit log', icon: 'log', page: 'audit', isForAdmins: true },
  { label: 'Settings', icon: 'settings', page: 'settings' },
];

/** Tabs of other pages. */
export const organizationTabs: readonly MenuEntry[] = [
  { label: 'Alerts of all workspaces', icon: 'bell', page: 'alerts' },
  { label: 'Replays of all workspaces', icon: 'replay', page: 'replays', isForAdmins: true },
  { label: 'Invitations', icon: 'mail', page: 'invitations', isForAdmins: true },
];
