import type { Knex } from 'knex';
import type { Standing } from '../../contract/identity/scopes.ts';
import { lockUser, requirePersonRoom } from '../organizations/limits.ts';
import { insertOrganization } from '../organizations/organizations.ts';
import { ensureUser, isDeveloperSql, type OrganizationRole, setOrganizationRole, type User } from './users.ts';
import { insertWorkspace } from '../organizations/workspaces.ts';

/** The database holds the same number as a constraint. */
const MAX_NAME_LENGTH = 200;

export interface Person extends Standing {
  readonly user: User;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  /** The organization was made just now. */
  readonly isNew: boolean;
}

/**
 * Returns the person who has proved to own this address, with their oldest organization. Who has none gets one of
 * their own, with a workspace to begin in; two who do so at once with one address get the same.
 */
export async function ensurePerson(trx: Knex.Transaction, { email }: { email: string }): Promise<Person> {
  const user = await ensureUser(trx, { email });
  await lockUser(trx, user.id);
  const oldest = await oldestOrganization(trx, user);
  if (oldest) return { user, ...oldest, isNew: false };

  await requirePersonRoom(trx, { userId: user.id, limit: 'organizations' });
  const organization = await insertOrganization(trx, { name: nameFrom(user.email), madeBy: user.id });
  await setOrganizationRole(trx, { organizationId: organization.id, userId: user.id, role: 'admin' });
  await insertWorkspace(trx, { organizationId: organization.id, name: 'Team', kind: 'team' });
  const { id: organizationId, publicId: organizationPublicId } = organization;
  return { user, organizationId, organizationPublicId, role: 'admin', isDeveloper: false, isNew: true };
}

/** The person with this address as a member of this organization; undefined where they are none. */
export async function findPersonIn(
  trx: Knex,
  { email, organizationId }: { email: string; organizationId: number },
): Promise<Person | undefined> {
  const { rows } = await trx.raw<{ rows: (MembershipRow & { user_id: number; user_public_id: string })[] }>(
    `select o.id, o.public_id, m.role, ${isDeveloperSql} as is_developer, u.id as user_id, u.public_id as user_public_id
     from users u join organization_members m on m.user_id = u.id join organizations o on o.id = m.organization_id
     where u.email = ? and o.id = ?`,
    [email, organizationId],
  );
  const [row] = rows;
  return row && { user: { id: row.user_id, publicId: row.user_public_id, email }, ...membershipOf(row), isNew: false };
}

interface MembershipRow {
  id: number;
  public_id: string;
  role: OrganizationRole;
  is_developer: boolean;
}

async function oldestOrganization(trx: Knex, user: User) {
  const { rows } = await trx.raw<{ rows: MembershipRow[] }>(
    `select o.id, o.public_id, m.role, ${isDeveloperSql} as is_developer from organization_members m join organizations o on o.id = m.organization_id
     where m.user_id = ? order by o.id limit 1`,
    [user.id],
  );
  return rows[0] && membershipOf(rows[0]);
}

function membershipOf({ id, public_id, role, is_developer: isDeveloper }: MembershipRow) {
  return { organizationId: id, organizationPublicId: public_id, role, isDeveloper };
}

/** The part of the address that people recognise, cut to what a name may have. */
function nameFrom(email: string): string {
  return email.slice(0, Math.min(email.lastIndexOf('@'), MAX_NAME_LENGTH));
}
