import type { Knex } from 'knex';
import type { OrganizationRole } from './users.ts';

/** An organization, and what somebody is in it. */
export interface Membership {
  readonly organizationPublicId: string;
  readonly name: string;
  readonly role: OrganizationRole;
}

interface MembershipRow {
  organization_public_id: string;
  name: string;
  role: OrganizationRole;
}

/** The organizations that a person belongs to, oldest first. */
export async function organizationsOfUser(db: Knex, userId: number): Promise<Membership[]> {
  const { rows } = await db.raw<{ rows: MembershipRow[] }>(
    `select o.public_id as organization_public_id, o.name, m.role
     from organization_members m join organizations o on o.id = m.organization_id
     where m.user_id = ? order by o.id`,
    [userId],
  );
  return rows.map(fromRow);
}

/** The one organization of a key. A key with full access is an admin there, whether or not its maker still belongs to it. */
export async function organizationOfKey(
  db: Knex,
  { id, role }: { id: number; role: OrganizationRole },
): Promise<Membership[]> {
  const { rows } = await db.raw<{ rows: MembershipRow[] }>(
    'select public_id as organization_public_id, name, ?::text as role from organizations where id = ?',
    [role, id],
  );
  return rows.map(fromRow);
}

function fromRow({ organization_public_id: organizationPublicId, name, role }: MembershipRow): Membership {
  return { organizationPublicId, name, role };
}
