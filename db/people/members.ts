import type { Knex } from 'knex';
import { raw } from 'objection';
import type { Model, PageAfter } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { ApiKeyModel } from '../models/api-key.ts';
import { InvitationModel } from '../models/invitation.ts';
import { OrganizationMemberModel, WorkspaceMemberModel } from '../models/member.ts';
import { UserModel } from '../models/user.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { lockOrganization } from '../organizations/organizations.ts';
import type { OrganizationRole, WorkspaceRole } from './users.ts';

export interface Member<Role extends WorkspaceRole = WorkspaceRole> {
  readonly userId: number;
  readonly userPublicId: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

export type MembersOf = { readonly organizationId: number } | { readonly workspaceId: number };
type RoleIn<Of extends MembersOf> = Of extends { readonly workspaceId: number } ? WorkspaceRole : OrganizationRole;

export async function findMember<const Of extends MembersOf>(
  db: Knex,
  of: Of,
  { userPublicId }: { userPublicId: string },
): Promise<Member<RoleIn<Of>> | undefined> {
  return await memberRecords(db, of).findOne('user.public_id', userPublicId).castTo<Member<RoleIn<Of>> | undefined>();
}

export async function listMembers<const Of extends MembersOf>(
  db: Knex,
  of: Of,
  page: PageAfter,
): Promise<Member<RoleIn<Of>>[] | undefined> {
  const query = memberRecords(db, of)
    .orderBy([
      { column: 'member.created_at', order: 'desc' },
      { column: 'member.user_id', order: 'desc' },
    ])
    .limit(page.limit);
  if (page.after !== undefined) {
    const last = await findMember(db, of, { userPublicId: page.after });
    if (!last) return undefined;
    // Compared in SQL, because a Date loses the microseconds.
    const place = members(of).select('member.created_at', 'member.user_id').where('member.user_id', last.userId);
    query.where(raw('(member.created_at, member.user_id) < ?', place));
  }
  return await query.castTo<Member<RoleIn<Of>>[]>();
}

function members(of: MembersOf, db?: Knex) {
  const [model, condition]: [typeof Model, object] =
    'workspaceId' in of
      ? [WorkspaceMemberModel, { workspace_id: of.workspaceId }]
      : [OrganizationMemberModel, { organization_id: of.organizationId }];
  return model.query(db).alias('member').where(condition);
}

function memberRecords(db: Knex, of: MembersOf) {
  return members(of, db)
    .joinRelated('user')
    .select('member.user_id', 'user.public_id as userPublicId', 'user.email', 'member.role', 'member.created_at');
}

export type MemberChange = 'done' | 'unchanged' | 'missing' | 'last_admin';

/** Returns `last_admin` if the organization would lose its last admin. */
export async function changeOrganizationRole(
  trx: Knex,
  change: { readonly organizationId: number; readonly userId: number; readonly role: OrganizationRole },
): Promise<MemberChange> {
  const { organizationId, userId, role } = change;
  const state = await membershipState(trx, { organizationId, userId });
  if (state === 'missing') return 'missing';
  if (state === 'last_admin' && role === 'member') return 'last_admin';
  const count = await OrganizationMemberModel.query(trx)
    .patch({ role })
    .where({ organization_id: organizationId, user_id: userId })
    .whereNot({ role });
  if (count === 1 && role === 'member') await revokeInvitationsBy(trx, { organizationId, userId });
  return count === 1 ? 'done' : 'unchanged';
}

/**
 * Also revokes the keys of the person's agents, and the invitations that would let them in again. Sessions grant no
 * access by themselves.
 */
export async function removeFromOrganization(
  trx: Knex,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<MemberChange> {
  const state = await membershipState(trx, { organizationId, userId });
  if (state !== 'member') return state;
  const member = { organization_id: organizationId, user_id: userId };
  await WorkspaceMemberModel.query(trx)
    .delete()
    .where({ user_id: userId })
    .whereIn('workspace_id', WorkspaceModel.query().select('id').where({ organization_id: organizationId }));
  await OrganizationMemberModel.query(trx).delete().where(member);
  await ApiKeyModel.query(trx)
    .patch({ revokedAt: raw('now()') })
    .where(member)
    .whereNotNull('scopes')
    .where({ owned_by_organization: false })
    .whereNull('revoked_at');
  await revokeInvitations(trx, organizationId).where('email', UserModel.query().select('email').where({ id: userId }));
  await revokeInvitationsBy(trx, { organizationId, userId });
  return 'done';
}

/** An open invitation to another of their addresses would let them in again. */
async function revokeInvitationsBy(
  trx: Knex,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<void> {
  await revokeInvitations(trx, organizationId).where({ invited_by: userId });
}

function revokeInvitations(trx: Knex, organizationId: number) {
  return InvitationModel.query(trx)
    .patch({ revokedAt: raw('now()'), tokenEncrypted: null })
    .where({ organization_id: organizationId })
    .whereNull('accepted_at')
    .whereNull('revoked_at');
}

export async function setWorkspaceRole(
  trx: Knex,
  { workspaceId, userId, role }: { workspaceId: number; userId: number; role: WorkspaceRole },
): Promise<void> {
  await WorkspaceMemberModel.query(trx)
    .insert({ workspaceId, userId, role })
    .onConflict(['workspace_id', 'user_id'])
    .merge(['role']);
}

export async function removeFromWorkspace(
  trx: Knex,
  { workspaceId, userId }: { workspaceId: number; userId: number },
): Promise<boolean> {
  return (await WorkspaceMemberModel.query(trx).deleteById([workspaceId, userId])) === 1;
}

/** Takes the organization's lock, so that two admins who remove each other concurrently leave one. */
async function membershipState(
  trx: Knex,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<'missing' | 'last_admin' | 'member'> {
  await lockOrganization(trx, organizationId);
  const [member] = await queryRows<{ isOnlyAdmin: boolean }>(
    trx,
    `select role = 'admin' and not exists (
       select from organization_members o
       where o.organization_id = m.organization_id and o.user_id <> m.user_id and o.role = 'admin'
     ) as "isOnlyAdmin"
     from organization_members m where organization_id = :organizationId and user_id = :userId`,
    { organizationId, userId },
  );
  if (!member) return 'missing';
  return member.isOnlyAdmin ? 'last_admin' : 'member';
}
