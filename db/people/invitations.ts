import type { Knex } from 'knex';
import { withFreshId } from '../core/fresh-id.ts';
import { newOpaqueToken, opaqueTokenHash } from '../core/opaque-tokens.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { OrganizationRole, WorkspaceRole } from './users.ts';

/** Names the kind of token in its hash. */
export const INVITATION_TOKEN = 'invitation';
const LIFETIME_DAYS = 7;

export interface Invitation {
  readonly id: number;
  readonly publicId: string;
  readonly email: string;
  readonly role: OrganizationRole;
  readonly workspacePublicId: string | null;
  readonly workspaceRole: WorkspaceRole | null;
  readonly status: 'open' | 'accepted' | 'revoked' | 'expired';
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export interface NewInvitation {
  readonly organizationId: number;
  /** In lower case. */
  readonly email: string;
  readonly role: OrganizationRole;
  readonly workspace: { readonly id: number; readonly role: WorkspaceRole } | null;
  /** The person who invites, or whose key does. */
  readonly invitedBy: number;
}

/** Makes an invitation; its token is sealed until the mail has gone out, and hashed to be found by. */
export async function insertInvitation(
  db: Knex,
  { secretBox, tokenSalt }: { secretBox: SecretBox; tokenSalt: Uint8Array },
  invitation: NewInvitation,
): Promise<string> {
  const token = newOpaqueToken();
  return await withFreshId('invitation', async (publicId) => {
    const { rows } = await db.raw<{ rows: { public_id: string }[] }>(
      `insert into invitations (public_id, organization_id, workspace_id, email, organization_role, workspace_role,
         invited_by, token_hash, token_encrypted, expires_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, now() + ? * interval '1 day')
       on conflict (public_id) do nothing returning public_id`,
      [
        publicId,
        invitation.organizationId,
        invitation.workspace?.id ?? null,
        invitation.email,
        invitation.role,
        invitation.workspace?.role ?? null,
        invitation.invitedBy,
        opaqueTokenHash(tokenSalt, INVITATION_TOKEN, token),
        secretBox.seal(token, sealedContexts.invitationToken(publicId)),
        LIFETIME_DAYS,
      ],
    );
    return rows[0]?.public_id;
  });
}

interface InvitationRow {
  id: number;
  public_id: string;
  email: string;
  organization_role: OrganizationRole;
  workspace_public_id: string | null;
  workspace_role: WorkspaceRole | null;
  status: Invitation['status'];
  expires_at: Date;
  created_at: Date;
}

const invitationSql = `
select i.id, i.public_id, i.email, i.organization_role, w.public_id as workspace_public_id, i.workspace_role, i.expires_at,
  i.created_at,
  case when i.accepted_at is not null then 'accepted' when i.revoked_at is not null then 'revoked'
       when i.expires_at <= now() then 'expired' else 'open' end as status
from invitations i left join workspaces w on w.id = i.workspace_id
where i.organization_id = :organizationId`;

/** One of the organization's invitations. */
export async function findInvitation(
  db: Knex,
  { organizationId, publicId }: { organizationId: number; publicId: string },
): Promise<Invitation | undefined> {
  const { rows } = await db.raw<{ rows: InvitationRow[] }>(`${invitationSql} and i.public_id = :publicId`, {
    organizationId,
    publicId,
  });
  return rows[0] && fromRow(rows[0]);
}

/** The organization's invitations, newest first; undefined when `after` names none of them. */
export async function listInvitations(
  db: Knex,
  page: { readonly organizationId: number; readonly after?: string | undefined; readonly limit: number },
): Promise<Invitation[] | undefined> {
  const { organizationId, after, limit } = page;
  const last = after === undefined ? null : await findInvitation(db, { organizationId, publicId: after });
  if (last === undefined) return undefined;
  const { rows } = await db.raw<{ rows: InvitationRow[] }>(
    `${invitationSql} and (cast(:before as bigint) is null or i.id < cast(:before as bigint))
     order by i.id desc limit :limit`,
    { organizationId, before: last?.id ?? null, limit },
  );
  return rows.map(fromRow);
}

/** Takes an open invitation back; false where there is no open one. */
export async function revokeInvitation(
  db: Knex,
  { organizationId, publicId }: { organizationId: number; publicId: string },
): Promise<boolean> {
  const count = await db('invitations')
    .where({ organization_id: organizationId, public_id: publicId })
    .whereNull('accepted_at')
    .whereNull('revoked_at')
    .where('expires_at', '>', db.fn.now())
    .update({ revoked_at: db.fn.now(), token_encrypted: null });
  return count === 1;
}

function fromRow(row: InvitationRow): Invitation {
  return {
    id: row.id,
    publicId: row.public_id,
    email: row.email,
    role: row.organization_role,
    workspacePublicId: row.workspace_public_id,
    workspaceRole: row.workspace_role,
    status: row.status,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  };
}
