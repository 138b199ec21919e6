import { remembered } from '../session/remembered.ts';
import type { OrganizationMembership, Person } from '../session/session-state.ts';

/** The organization of a person where the address names none: the one where they were last, else their first. */
export function usualOrganization({ organizations }: Person): OrganizationMembership | undefined {
  const last = remembered('organization');
  return organizations.find(({ organizationId }) => organizationId === last) ?? organizations[0];
}
