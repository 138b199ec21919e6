import type { Knex } from 'knex';
import { raw } from 'objection';
import type { MemberRoles } from '../../contract/identity/scopes.ts';
import { OrganizationMemberModel } from '../models/member.ts';
import { OrganizationModel } from '../models/organization.ts';
import type { OrganizationRole } from './users.ts';

export interface OrganizationMembership extends MemberRoles {
  readonly organizationId: number;
  readonly organizationPublicId: string;
}

const isDeveloper = raw(`exists (
  select from workspace_members wm join workspaces w on w.id = wm.workspace_id
  where wm.user_id = organization_members.user_id and w.organization_id = organization_members.organization_id
    and w.deleted_at is null and wm.role in ('developer', 'admin'))`).as('isDeveloper');

export function queryMemberships(db: Knex) {
  return OrganizationMemberModel.query(db)
    .joinRelated('organization')
    .select('organization.id as organizationId', 'organization.public_id as organizationPublicId')
    .select('organization_members.role', isDeveloper);
}

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
