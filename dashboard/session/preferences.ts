import type { OrganizationMembership, Person } from './session-state.ts';

/** If the browser denies access to localStorage, defaults apply. */
const PREFIX = 'dashboard.';

export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function savePreference(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {}
}

/** The last used organization, else the first. */
export function defaultOrganization({ organizations }: Person): OrganizationMembership | undefined {
  const last = readPreference('organization');
  return organizations.find(({ organizationId }) => organizationId === last) ?? organizations[0];
}
