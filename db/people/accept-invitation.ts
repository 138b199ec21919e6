import type { Knex } from 'knex';
import { raw } from 'objection';
import { opaqueTokenHash } from '../core/opaque-tokens.ts';
import { queryRows } from '../core/query-rows.ts';
import { InvitationModel } from '../models/invitation.ts';
import { enforceOrganizationLimit } from '../organizations/limits.ts';
import { lockOrganization } from '../organizations/organizations.ts';
import { INVITATION_TOKEN } from './invitations.ts';
import { findOrganizationRole, type OrganizationRole } from './users.ts';
import type { Columns } from '../core/model.ts';

export interface AcceptedInvitation extends Columns<
  InvitationModel,
  'publicId' | 'organizationId' | 'workspaceId' | 'workspaceRole'
> {
  readonly organizationPublicId: string;
  readonly role: OrganizationRole;
  readonly workspacePublicId: string | null;
}

/** Returns undefined if this address cannot accept the invitation. An existing role stays. */
export async function acceptInvitation(
  trx: Knex,
  { token, tokenSalt, userId }: { token: string; tokenSalt: Uint8Array; userId: number },
): Promise<AcceptedInvitation | undefined> {
  const hash = opaqueTokenHash(tokenSalt, INVITATION_TOKEN, token);
  const named = await InvitationModel.query(trx).select('organization_id').findOne({ token_hash: hash });
  // Removals and deletions take this lock too, so none of them misses the new member.
  if (named) await lockOrganization(trx, named.organizationId);
  const [open] = await queryRows<OpenInvitation>(trx, openSql, { hash, userId });
  if (!open) return undefined;
  const { id, ...invitation } = open;
  const { workspaceId, organizationId } = invitation;
  if ((await findOrganizationRole(trx, { organizationId, userId })) === undefined) {
    await enforceOrganizationLimit(trx, { organizationId, limit: 'members' });
  }
  await InvitationModel.query(trx)
    .findById(id)
    .patch({ acceptedAt: raw('now()'), tokenEncrypted: null });
  const role = await addMember(trx, 'organization', { id: organizationId, userId, role: invitation.role });
  const workspaceRole =
    workspaceId === null || invitation.workspaceRole === null
      ? null
      : await addMember(trx, 'workspace', { id: workspaceId, userId, role: invitation.workspaceRole });
  return { ...invitation, role, workspaceRole };
}

type OpenInvitation = AcceptedInvitation & { readonly id: number };

const openSql = `
select i.id, i.public_id as "publicId", i.organization_id as "organizationId", o.public_id as "organizationPublicId",
  i.organization_role as role, i.workspace_id as "workspaceId", w.public_id as "workspacePublicId",
  i.workspace_role as "workspaceRole"
from invitations i
join organizations o on o.id = i.organization_id
join users u on u.id = :userId and u.email = i.email
left join workspaces w on w.id = i.workspace_id
where i.token_hash = :hash and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
  and w.deleted_at is null
for update of i`;

async function addMember<Role extends string>(
  trx: Knex,
  group: 'organization' | 'workspace',
  member: { id: number; userId: number; role: Role },
): Promise<Role> {
  const [joined] = await queryRows<{ role: Role }>(
    trx,
    `insert into ${group}_members as m (${group}_id, user_id, role) values (:id, :userId, :role)
     on conflict (${group}_id, user_id) do update set role = m.role returning role`,
    member,
  );
  return joined!.role;
}
