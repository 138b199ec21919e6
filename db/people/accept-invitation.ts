import type { Knex } from 'knex';
import { lockOrganization } from '../organizations/organizations.ts';
import { INVITATION_TOKEN } from './invitations.ts';
import { requireRoom } from '../organizations/limits.ts';
import { opaqueTokenHash } from '../core/opaque-tokens.ts';
import { findOrganizationRole, type OrganizationRole, type WorkspaceRole } from './users.ts';

export interface AcceptedInvitation {
  readonly publicId: string;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly role: OrganizationRole;
  readonly workspaceId: number | null;
  readonly workspacePublicId: string | null;
  readonly workspaceRole: WorkspaceRole | null;
}

interface OpenRow {
  id: number;
  public_id: string;
  organization_id: number;
  organization_public_id: string;
  organization_role: OrganizationRole;
  workspace_id: number | null;
  workspace_public_id: string | null;
  workspace_role: WorkspaceRole | null;
}

/**
 * Makes the person a member as the invitation says, once. Undefined for a token that is unknown, used, revoked or
 * expired, that was sent to another address, or leads to a deleted workspace. A role that the person has already stays.
 */
export async function acceptInvitation(
  trx: Knex,
  { token, tokenSalt, userId }: { token: string; tokenSalt: Uint8Array; userId: number },
): Promise<AcceptedInvitation | undefined> {
  const hash = opaqueTokenHash(tokenSalt, INVITATION_TOKEN, token);
  const { rows: named } = await trx.raw<{ rows: { organization_id: number }[] }>(
    'select organization_id from invitations where token_hash = ?',
    [hash],
  );
  // As removals and deletions do, so that none of them overlooks the new member.
  if (named[0]) await lockOrganization(trx, named[0].organization_id);
  const { rows } = await trx.raw<{ rows: OpenRow[] }>(openSql, { hash, userId });
  const [row] = rows;
  if (!row) return undefined;
  const organizationId = row.organization_id;
  if ((await findOrganizationRole(trx, { organizationId, userId })) === undefined) {
    await requireRoom(trx, { organizationId, limit: 'members' });
  }
  await trx('invitations').where({ id: row.id }).update({ accepted_at: trx.fn.now(), token_encrypted: null });
  const role = await join(trx, 'organization', { id: row.organization_id, userId, role: row.organization_role });
  const workspaceRole =
    row.workspace_id === null || row.workspace_role === null
      ? null
      : await join(trx, 'workspace', { id: row.workspace_id, userId, role: row.workspace_role });
  return {
    publicId: row.public_id,
    organizationId: row.organization_id,
    organizationPublicId: row.organization_public_id,
    role,
    workspaceId: row.workspace_id,
    workspacePublicId: row.workspace_public_id,
    workspaceRole,
  };
}

const openSql = `
select i.id, i.public_id, i.organization_id, o.public_id as organization_public_id, i.organization_role, i.workspace_id,
  w.public_id as workspace_public_id, i.workspace_role
from invitations i
join organizations o on o.id = i.organization_id
join users u on u.id = :userId and u.email = i.email
left join workspaces w on w.id = i.workspace_id
where i.token_hash = :hash and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
  and w.deleted_at is null
for update of i`;

/** Adds the person, or leaves them as they are; returns the role that they have. */
async function join<Role extends string>(
  trx: Knex,
  what: 'organization' | 'workspace',
  { id, userId, role }: { id: number; userId: number; role: Role },
): Promise<Role> {
  const { rows } = await trx.raw<{ rows: { role: Role }[] }>(
    `insert into ${what}_members as m (${what}_id, user_id, role) values (?, ?, ?)
     on conflict (${what}_id, user_id) do update set role = m.role returning role`,
    [id, userId, role],
  );
  return rows[0]?.role ?? role;
}
