import type { Knex } from 'knex';
import { lockOrganization } from '../organizations/organizations.ts';
import type { OrganizationRole, WorkspaceRole } from './users.ts';

/** A person's part in an organization or a workspace. */
export interface Member<Role extends WorkspaceRole = WorkspaceRole> {
  readonly userId: number;
  readonly userPublicId: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

/** Whose members. */
export type MembersOf = { readonly organizationId: number } | { readonly workspaceId: number };
type RoleIn<Of extends MembersOf> = Of extends { readonly workspaceId: number } ? WorkspaceRole : OrganizationRole;

interface MemberRow<Role extends WorkspaceRole> {
  user_id: number;
  user_public_id: string;
  email: string;
  role: Role;
  created_at: Date;
}

/** One member; undefined for somebody who is none. */
export async function findMember<const Of extends MembersOf>(
  db: Knex,
  of: Of,
  { userPublicId }: { userPublicId: string },
): Promise<Member<RoleIn<Of>> | undefined> {
  const { sql, id } = membersSql(of);
  const { rows } = await db.raw<{ rows: MemberRow<RoleIn<Of>>[] }>(`${sql} and u.public_id = ?`, [id, userPublicId]);
  return rows[0] && fromRow(rows[0]);
}

/** Members, newest first; undefined when `after` names none of them. */
export async function listMembers<const Of extends MembersOf>(
  db: Knex,
  of: Of,
  page: { readonly after?: string | undefined; readonly limit: number },
): Promise<Member<RoleIn<Of>>[] | undefined> {
  const { sql, id } = membersSql(of);
  const last = page.after === undefined ? null : await findMember(db, of, { userPublicId: page.after });
  if (last === undefined) return undefined;
  // In SQL, where instants have their microseconds.
  const before = last
    ? `and (m.created_at, m.user_id) < (select created_at, user_id from (${sql}) l where user_id = ?)`
    : '';
  const { rows } = await db.raw<{ rows: MemberRow<RoleIn<Of>>[] }>(
    `${sql} ${before} order by m.created_at desc, m.user_id desc limit ?`,
    [id, ...(last ? [id, last.userId] : []), page.limit],
  );
  return rows.map(fromRow);
}

/** What came of changing who administers an organization. */
export type MemberChange = 'done' | 'unchanged' | 'missing' | 'last_admin';

/** Gives a member another role, unless that leaves the organization without an admin. */
export async function changeOrganizationRole(
  trx: Knex,
  change: { readonly organizationId: number; readonly userId: number; readonly role: OrganizationRole },
): Promise<MemberChange> {
  const { organizationId, userId, role } = change;
  const standing = await standingOf(trx, { organizationId, userId });
  if (standing === 'missing') return 'missing';
  if (standing === 'last_admin' && role === 'member') return 'last_admin';
  const count = await trx('organization_members')
    .where({ organization_id: organizationId, user_id: userId })
    .whereNot({ role })
    .update({ role });
  if (count === 1 && role === 'member') await revokeInvitationsBy(trx, { organizationId, userId });
  return count === 1 ? 'done' : 'unchanged';
}

/**
 * Removes a person from the organization: from its workspaces, with the keys of their agents, and with the invitations
 * that would let them in again. Sessions have no access of their own, so that they lose it too.
 */
export async function removeFromOrganization(
  trx: Knex,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<MemberChange> {
  const standing = await standingOf(trx, { organizationId, userId });
  if (standing !== 'member') return standing;
  const member = { organization_id: organizationId, user_id: userId };
  await trx('workspace_members')
    .where({ user_id: userId })
    .whereIn('workspace_id', trx('workspaces').select('id').where({ organization_id: organizationId }))
    .delete();
  await trx('organization_members').where(member).delete();
  await trx('api_keys')
    .where(member)
    .whereNotNull('scopes')
    .whereNull('revoked_at')
    .update({ revoked_at: trx.fn.now() });
  await trx('invitations')
    .where({ organization_id: organizationId, email: trx('users').select('email').where({ id: userId }) })
    .whereNull('accepted_at')
    .whereNull('revoked_at')
    .update({ revoked_at: trx.fn.now(), token_encrypted: null });
  await revokeInvitationsBy(trx, { organizationId, userId });
  return 'done';
}

/** Whoever may invite no more has no invitations out: one to an address of their own would be the way back in. */
async function revokeInvitationsBy(
  trx: Knex,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<void> {
  await trx('invitations')
    .where({ organization_id: organizationId, invited_by: userId })
    .whereNull('accepted_at')
    .whereNull('revoked_at')
    .update({ revoked_at: trx.fn.now(), token_encrypted: null });
}

/** Gives a member of the organization a role in the workspace. */
export async function setWorkspaceRole(
  trx: Knex,
  { workspaceId, userId, role }: { workspaceId: number; userId: number; role: WorkspaceRole },
): Promise<void> {
  await trx('workspace_members')
    .insert({ workspace_id: workspaceId, user_id: userId, role })
    .onConflict(['workspace_id', 'user_id'])
    .merge(['role']);
}

/** False for somebody who was no member. */
export async function removeFromWorkspace(
  trx: Knex,
  { workspaceId, userId }: { workspaceId: number; userId: number },
): Promise<boolean> {
  return (await trx('workspace_members').where({ workspace_id: workspaceId, user_id: userId }).delete()) === 1;
}

/** Takes the organization's lock: two admins who remove each other at once leave one. */
async function standingOf(
  trx: Knex,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<'missing' | 'last_admin' | 'member'> {
  await lockOrganization(trx, organizationId);
  const { rows } = await trx.raw<{ rows: { role: OrganizationRole; is_only_admin: boolean }[] }>(
    `select role, role = 'admin' and not exists (
       select from organization_members o
       where o.organization_id = m.organization_id and o.user_id <> m.user_id and o.role = 'admin'
     ) as is_only_admin
     from organization_members m where organization_id = ? and user_id = ?`,
    [organizationId, userId],
  );
  const [row] = rows;
  if (!row) return 'missing';
  return row.is_only_admin ? 'last_admin' : 'member';
}

function membersSql(of: MembersOf): { readonly sql: string; readonly id: number } {
  const [table, column, id] =
    'workspaceId' in of
      ? ['workspace_members', 'workspace_id', of.workspaceId]
      : ['organization_members', 'organization_id', of.organizationId];
  const sql = `select m.user_id, u.public_id as user_public_id, u.email, m.role, m.created_at
    from ${table} m join users u on u.id = m.user_id where m.${column} = ?`;
  return { sql, id };
}

function fromRow<Role extends WorkspaceRole>(row: MemberRow<Role>): Member<Role> {
  return {
    userId: row.user_id,
    userPublicId: row.user_public_id,
    email: row.email,
    role: row.role,
    createdAt: row.created_at,
  };
}
