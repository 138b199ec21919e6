import type { Knex } from 'knex';
import { lockUser, enforcePersonLimit } from '../organizations/limits.ts';
import { insertOrganization, type Organization } from '../organizations/organizations.ts';
import { insertWorkspace } from '../organizations/workspaces.ts';
import { type OrganizationMembership, queryMemberships } from './memberships.ts';
import { hasOpenInvitation } from './invitations.ts';
import { ensureUser, setOrganizationRole, type User } from './users.ts';

/** A database constraint has this limit. */
const MAX_NAME_LENGTH = 200;

export interface Person extends OrganizationMembership {
  readonly user: User;
  readonly isNew: boolean;
}

/**
 * As `ensurePerson`, but returns no organization for a person without one whom another organization has invited: they
 * will accept, and need none of their own.
 */
export async function ensureInvitedPerson(
  trx: Knex.Transaction,
  { email }: { email: string },
): Promise<Person | { readonly user: User; readonly isNew: false }> {
  const user = await ensureUser(trx, { email });
  const [membership] = await queryMemberships(trx).where('organization_members.user_id', user.id).limit(1);
  if (membership || !(await hasOpenInvitation(trx, user.email))) return await ensurePerson(trx, { email });
  return { user, isNew: false };
}

/** Returns the address's owner with their oldest organization, or creates one. Concurrent calls get the same one. */
export async function ensurePerson(trx: Knex.Transaction, { email }: { email: string }): Promise<Person> {
  const user = await ensureUser(trx, { email });
  await lockUser(trx, user.id);
  const [oldest] = await queryMemberships(trx)
    .where('organization_members.user_id', user.id)
    .orderBy('organization.id')
    .limit(1)
    .castTo<OrganizationMembership[]>();
  if (oldest) return { user, ...oldest, isNew: false };

  const organization = await insertOwnOrganization(trx, { userId: user.id, name: nameFrom(user.email) });
  const { id: organizationId, publicId: organizationPublicId } = organization;
  return { user, organizationId, organizationPublicId, role: 'admin', isDeveloper: false, isNew: true };
}

/** Creates an organization with a workspace and the person as its admin. Throws `LimitReached`. */
export async function insertOwnOrganization(
  trx: Knex.Transaction,
  { userId, name }: { readonly userId: number; readonly name: string },
): Promise<Organization> {
  await enforcePersonLimit(trx, { userId, limit: 'organizations' });
  const organization = await insertOrganization(trx, { name, madeBy: userId });
  await setOrganizationRole(trx, { organizationId: organization.id, userId, role: 'admin' });
  await insertWorkspace(trx, { organizationId: organization.id, name: 'Team', kind: 'team' });
  return organization;
}

export async function findPersonIn(
  trx: Knex,
  { email, organizationId }: { email: string; organizationId: number },
): Promise<Person | undefined> {
  const [found] = await queryMemberships(trx)
    .joinRelated('user')
    .where({ 'user.email': email, 'organization.id': organizationId })
    .select('user.id as userId', 'user.public_id as userPublicId')
    .castTo<(OrganizationMembership & { userId: number; userPublicId: string })[]>();
  if (!found) return undefined;
  const { userId, userPublicId, ...membership } = found;
  return { user: { id: userId, publicId: userPublicId, email }, ...membership, isNew: false };
}

function nameFrom(email: string): string {
  return email.slice(0, Math.min(email.lastIndexOf('@'), MAX_NAME_LENGTH));
}
