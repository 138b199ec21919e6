import type { Knex } from 'knex';

export interface InvitationMail {
  readonly email: string;
  readonly organizationName: string;
  readonly organizationId: string;
  /** Opens in the context `sealedContexts.invitationToken(publicId)`; null when the mail has gone out. */
  readonly tokenEncrypted: string | null;
  readonly expiresAt: Date;
  readonly isOpen: boolean;
}

/** What the mail of an invitation says. */
export async function findInvitationMail(db: Knex, publicId: string): Promise<InvitationMail | undefined> {
  const { rows } = await db.raw<{ rows: InvitationMail[] }>(
    `select i.email, o.name as "organizationName", o.public_id as "organizationId", i.token_encrypted as "tokenEncrypted",
       i.expires_at as "expiresAt",
       i.accepted_at is null and i.revoked_at is null and i.expires_at > now() as "isOpen"
     from invitations i join organizations o on o.id = i.organization_id
     where i.public_id = ?`,
    [publicId],
  );
  return rows[0];
}

/** Forgets the token of an invitation whose mail has gone out: only its receiver has it now. */
export async function forgetInvitationToken(db: Knex, publicId: string): Promise<void> {
  await db('invitations').where({ public_id: publicId }).update({ token_encrypted: null });
}
