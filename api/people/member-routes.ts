import type { Knex } from 'knex';
import { memberRoutes as routes } from '../../openapi/people/member-routes.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import {
  changeOrganizationRole,
  findMember,
  listMembers,
  type Member,
  type MemberChange,
  type MembersOf,
  removeFromOrganization,
  removeFromWorkspace,
  setWorkspaceRole,
} from '../../db/people/members.ts';
import { lockOrganization } from '../../db/organizations/organizations.ts';
import { auditContext } from '../access/audit-context.ts';
import { Conflict, NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { type PageQuery, readNamedPage } from '../routing/page.ts';
import type { Principal } from '../requests/state.ts';
import { shownEmail } from '../access/shown-people.ts';
import type { Invitation } from '../../db/people/invitations.ts';
import type { WorkspaceRole } from '../../contract/identity/roles.ts';

export function mountMemberRoutes(mount: Mount): void {
  mountOrganizationMembers(mount);
  mountWorkspaceMembers(mount);
}

function mountOrganizationMembers(mount: Mount): void {
  const { db } = mount.deps;

  mountRoute(mount, routes.listOrganizationMembers, ({ organization, query }) =>
    presentPage(db, { organizationId: organization.id }, query),
  );

  mountRoute(mount, routes.changeOrganizationMember, async (request) => {
    const { organization, params, body } = request;
    const of = { organizationId: organization.id };
    return await db.transaction(async (trx) => {
      const { userId } = await memberOf(trx, of, params.usr);
      const change = await changeOrganizationRole(trx, { ...of, userId, role: body.role });
      await settle(trx, change, {
        audit: auditContext(request),
        action: 'member.changed',
        targetId: params.usr,
        role: body.role,
      });
      return presentMember(await memberOf(trx, of, params.usr));
    });
  });

  mountRoute(mount, routes.removeOrganizationMember, async (request) => {
    const { organization, params } = request;
    const of = { organizationId: organization.id };
    await db.transaction(async (trx) => {
      const { userId } = await memberOf(trx, of, params.usr);
      const change = await removeFromOrganization(trx, { ...of, userId });
      await settle(trx, change, { audit: auditContext(request), action: 'member.removed', targetId: params.usr });
    });
  });
}

function mountWorkspaceMembers(mount: Mount): void {
  const { db } = mount.deps;

  mountRoute(mount, routes.listWorkspaceMembers, async ({ principal, workspace, query }) => {
    const { members, nextCursor } = await presentPage(db, { workspaceId: workspace.id }, query);
    return { members: members.map((member) => asSeen(principal, member)), nextCursor };
  });

  mountRoute(mount, routes.putWorkspaceMember, async (request) => {
    const { organization, principal, workspace, params, body } = request;
    const of = { workspaceId: workspace.id };
    return await db.transaction(async (trx) => {
      // A member removed concurrently must not stay in a workspace.
      await lockOrganization(trx, organization.id);
      const { userId } = await memberOf(trx, { organizationId: organization.id }, params.usr);
      const before = await findMember(trx, of, { userPublicId: params.usr });
      await setWorkspaceRole(trx, { ...of, userId, role: body.role });
      const action = before ? 'member.changed' : 'member.added';
      const change = before?.role === body.role ? 'unchanged' : 'done';
      await settle(trx, change, { audit: auditContext(request), action, targetId: params.usr, role: body.role });
      return asSeen(principal, presentMember(await memberOf(trx, of, params.usr)));
    });
  });

  mountRoute(mount, routes.removeWorkspaceMember, async (request) => {
    const { workspace, params } = request;
    const of = { workspaceId: workspace.id };
    await db.transaction(async (trx) => {
      const { userId } = await memberOf(trx, of, params.usr);
      const change = (await removeFromWorkspace(trx, { ...of, userId })) ? 'done' : 'missing';
      await settle(trx, change, { audit: auditContext(request), action: 'member.removed', targetId: params.usr });
    });
  });
}

function asSeen<Shown extends { readonly email: string }>(caller: Principal, member: Shown) {
  return { ...member, email: shownEmail(caller, member.email) };
}

async function presentPage<const Of extends MembersOf>(db: Knex, of: Of, query: PageQuery) {
  const page = await readNamedPage(query, 'userPublicId', (after) => listMembers(db, of, after));
  return { members: page.items.map(presentMember), nextCursor: page.nextCursor };
}

async function memberOf<const Of extends MembersOf>(db: Knex, of: Of, userPublicId: string) {
  const member = await findMember(db, of, { userPublicId });
  if (!member) throw new NotFound('MEMBER_NOT_FOUND');
  return member;
}

interface Settlement {
  readonly audit: AuditContext;
  readonly action: string;
  readonly targetId: string;
  readonly role?: string;
}

async function settle(trx: Knex, change: MemberChange, { audit, action, targetId, role }: Settlement): Promise<void> {
  switch (change) {
    case 'missing':
      throw new NotFound('MEMBER_NOT_FOUND');
    case 'last_admin':
      throw new Conflict('LAST_ADMIN', 'An organization needs an admin. Make another member admin first.');
    case 'unchanged':
      return;
    case 'done':
      await recordAudit(trx, { ...audit, action, targetId, reason: role === undefined ? null : `role: ${role}` });
  }
}

function presentMember<Role extends WorkspaceRole>(member: Member<Role>) {
  return { ...member, userId: member.userPublicId };
}

export function presentInvitation(invitation: Invitation) {
  return { ...invitation, invitationId: invitation.publicId, workspaceId: invitation.workspacePublicId };
}
