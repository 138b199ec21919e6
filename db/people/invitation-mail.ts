import type { Knex } from 'knex';
import { raw } from 'objection';
import { InvitationModel } from '../models/invitation.ts';

export interface InvitationMail {
  readonly email: string;
  readonly organizationName: string;
  readonly organizationId: string;
  /** Sealed in the context `invitationToken`; null once the email has been sent. */
  readonly tokenEncrypted: string | null;
  readonly expiresAt: Date;
  readonly isOpen: boolean;
}

export async function findInvitationMail(db: Knex, publicId: string): Promise<InvitationMail | undefined> {
  return await InvitationModel.query(db)
    .joinRelated('organization')
    .select('email', 'organization.name as organizationName', 'organization.public_id as organizationId')
    .select('token_encrypted', 'expires_at', isOpen)
    .findOne('invitations.public_id', publicId)
    .castTo<InvitationMail | undefined>();
}

const isOpen = raw('accepted_at is null and revoked_at is null and expires_at > now()').as('isOpen');

/** Call after the email has been sent: then only the recipient has the token. */
export async function forgetInvitationToken(db: Knex, publicId: string): Promise<void> {
  await InvitationModel.query(db).patch({ tokenEncrypted: null }).where({ public_id: publicId });
}
