import { readPreference } from '../session/preferences.ts';
import type { OrganizationMembership, Person } from '../session/session-state.ts';

export function defaultOrganization({ organizations }: Person): OrganizationMembership | undefined {
  const last = readPreference('organization');
  return organizations.find(({ organizationId }) => organizationId === last) ?? organizations[0];
}
