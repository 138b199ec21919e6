import type { Knex } from 'knex';
import { raw } from 'objection';
import type { MemberRoles } from '../../contract/identity/scopes.ts';
import { OrganizationMemberModel } from '../models/member.ts';

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
