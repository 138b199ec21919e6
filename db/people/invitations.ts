import type { Knex } from 'knex';
import { raw } from 'objection';
import { type Columns, insertWithFreshId, listAfter, type PageAfter } from '../core/model.ts';
import { newOpaqueToken, opaqueTokenHash } from '../core/opaque-tokens.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { InvitationModel } from '../models/invitation.ts';
import type { OrganizationRole, WorkspaceRole } from './users.ts';

export const INVITATION_TOKEN = 'invitation';
const LIFETIME_DAYS = 7;
const IS_OPEN = 'accepted_at is null and revoked_at is null and expires_at > now()';

export interface Invitation extends Columns<
  InvitationModel,
  'id' | 'publicId' | 'email' | 'workspaceRole' | 'expiresAt' | 'createdAt'
> {
  readonly role: OrganizationRole;
  readonly workspacePublicId: string | null;
  readonly status: 'open' | 'accepted' | 'revoked' | 'expired';
}

export interface NewInvitation {
  readonly organizationId: number;
  /** In lower case. */
  readonly email: string;
  readonly role: OrganizationRole;
  readonly workspace: { readonly id: number; readonly role: WorkspaceRole } | null;
  readonly invitedBy: number;
}

/** The token stays sealed until its email has been sent. */
export async function insertInvitation(
  db: Knex,
  { secretBox, tokenSalt }: { secretBox: SecretBox; tokenSalt: Uint8Array },
  invitation: NewInvitation,
): Promise<string> {
  const { organizationId, email, role, workspace, invitedBy } = invitation;
  const token = newOpaqueToken();
  const { publicId } = await insertWithFreshId(db, InvitationModel, {
    kind: 'invitation',
    values: (freshId) => ({
      organizationId,
      email,
      organizationRole: role,
      invitedBy,
      workspaceId: workspace?.id ?? null,
      workspaceRole: workspace?.role ?? null,
      tokenHash: opaqueTokenHash(tokenSalt, INVITATION_TOKEN, token),
      tokenEncrypted: secretBox.seal(token, sealedContexts.invitationToken(freshId)),
      expiresAt: raw("now() + ? * interval '1 day'", LIFETIME_DAYS),
    }),
  });
  return publicId;
}

const status = raw(`case when accepted_at is not null then 'accepted' when revoked_at is not null then 'revoked'
  when expires_at <= now() then 'expired' else 'open' end`).as('status');

function invitationsOf(db: Knex, organizationId: number) {
  return InvitationModel.query(db)
    .leftJoinRelated('workspace')
    .where('invitations.organization_id', organizationId)
    .select('invitations.id', 'invitations.public_id', 'email', 'organization_role as role', 'workspace_role')
    .select('workspace.public_id as workspacePublicId', 'expires_at', 'invitations.created_at', status);
}

export async function hasOpenInvitation(db: Knex, email: string): Promise<boolean> {
  const open = await InvitationModel.query(db)
    .select('id')
    .where({ email })
    .whereNull('accepted_at')
    .whereNull('revoked_at')
    .whereRaw('expires_at > now()')
    .first();
  return open !== undefined;
}

export async function findInvitation(
  db: Knex,
  { organizationId, publicId }: { organizationId: number; publicId: string },
): Promise<Invitation | undefined> {
  return await invitationsOf(db, organizationId)
    .findOne('invitations.public_id', publicId)
    .castTo<Invitation | undefined>();
}

export async function listInvitations(
  db: Knex,
  { organizationId, ...page }: PageAfter & { readonly organizationId: number },
): Promise<Invitation[] | undefined> {
  const of = { 'invitations.organization_id': organizationId };
  return await listAfter(invitationsOf(db, organizationId), { of, ...page });
}

export async function revokeInvitation(
  db: Knex,
  { organizationId, publicId }: { organizationId: number; publicId: string },
): Promise<boolean> {
  const count = await InvitationModel.query(db)
    .patch({ revokedAt: raw('now()'), tokenEncrypted: null })
    .where({ organization_id: organizationId, public_id: publicId })
    .whereNull('accepted_at')
    .whereNull('revoked_at')
    .where('expires_at', '>', raw('now()'));
  return count === 1;
}

interface InvitationPreview {
  readonly organizationName: string;
  readonly inviterEmail: string;
  readonly isForCaller: boolean;
}

/** Returns undefined for an invitation that no one can accept any more. */
export async function previewInvitation(
  db: Knex,
  { token, tokenSalt, userId }: { token: string; tokenSalt: Uint8Array; userId: number },
): Promise<InvitationPreview | undefined> {
  const isForCaller = raw('exists (select from users u where u.id = ? and u.email = invitations.email)', userId).as(
    'isForCaller',
  );
  return await InvitationModel.query(db)
    .joinRelated('[organization, inviter]')
    .leftJoinRelated('workspace')
    .select('organization.name as organizationName', 'inviter.email as inviterEmail', isForCaller)
    .whereRaw(IS_OPEN)
    .whereNull('workspace.deleted_at')
    .findOne({ token_hash: opaqueTokenHash(tokenSalt, INVITATION_TOKEN, token) })
    .castTo<InvitationPreview | undefined>();
}

interface InvitationMail {
  readonly email: string;
  readonly organizationName: string;
  readonly organizationId: string;
  /** Sealed in the context `invitationToken`; null once the email has been sent. */
  readonly tokenEncrypted: string | null;
  readonly inviterEmail: string;
  /** Rounded. */
  readonly expiresInDays: number;
  readonly isOpen: boolean;
}

export async function findInvitationMail(db: Knex, publicId: string): Promise<InvitationMail | undefined> {
  return await InvitationModel.query(db)
    .joinRelated('[organization, inviter]')
    .select(
      'invitations.email',
      'inviter.email as inviterEmail',
      'organization.name as organizationName',
      'organization.public_id as organizationId',
    )
    .select('token_encrypted', expiresInDays, isOpen)
    .findOne('invitations.public_id', publicId)
    .castTo<InvitationMail | undefined>();
}

const expiresInDays = raw('round(extract(epoch from expires_at - now()) / 86400)::int').as('expiresInDays');
const isOpen = raw(IS_OPEN).as('isOpen');

/** Call after the email has been sent: then only the recipient has the token. */
export async function forgetInvitationToken(db: Knex, publicId: string): Promise<void> {
  await InvitationModel.query(db).patch({ tokenEncrypted: null }).where({ public_id: publicId });
}
