import type { Knex } from 'knex';
import { OrganizationMemberModel } from '../models/member.ts';
import { OrganizationModel } from '../models/organization.ts';
import type { OrganizationRole } from './users.ts';

export interface Membership {
  readonly organizationPublicId: string;
  readonly name: string;
  readonly role: OrganizationRole;
}

export async function organizationsOfUser(db: Knex, userId: number): Promise<Membership[]> {
  return await OrganizationMemberModel.query(db)
    .joinRelated('organization')
    .select('organization.public_id as organizationPublicId', 'organization.name', 'role')
    .where({ user_id: userId })
    .orderBy('organization.id')
    .castTo<Membership[]>();
}

/** A key with full access is an admin even after its creator has left. */
export async function organizationOfKey(
  db: Knex,
  { id, role }: { id: number; role: OrganizationRole },
): Promise<Membership[]> {
  const organizations = await OrganizationModel.query(db).select('public_id', 'name').where({ id });
  return organizations.map(({ publicId, name }) => ({ organizationPublicId: publicId, name, role }));
}
