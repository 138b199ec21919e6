import type { Knex } from 'knex';
import { recordAudit } from '../audit/record-audit.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

/**
 * Whether the platform takes a credential's calls. A refusal ends nothing: events are still received and delivered. A
 * health check, a refresh or a new connection of the account accepts the credential again.
 */
export interface RefusedCredential {
  readonly of: { readonly channelId: number } | { readonly credentialId: string };
  readonly reason: string;
  /** Optional. A credential whose token has changed since stays accepted. */
  readonly refused?: { readonly secretBox: SecretBox; readonly token: string };
}

interface Credential {
  readonly id: number;
  readonly publicId: string;
  readonly sealedToken: string;
  readonly workspaceId: number;
  readonly organizationId: number;
}

/** Has the health of its channels checked at once. Returns false if nothing changed. */
export async function refuseCredential(db: Knex, { of, reason, refused }: RefusedCredential): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const [credential] = await queryRows<Credential>(trx, acceptedSql('channelId' in of), { ...of });
    if (!credential) return false;
    const { id, publicId, sealedToken, organizationId, workspaceId } = credential;
    const context = sealedContexts.credentialToken(publicId);
    if (refused && refused.secretBox.open(sealedToken, context) !== refused.token) return false;
    await queryRows(
      trx,
      `update connection_credentials set refused_at = now(), refused_reason = :reason
       where id = :id and refused_at is null`,
      { id, reason },
    );
    await queryRows(
      trx,
      `update channel_health h set next_check_at = least(h.next_check_at, now()) where h.channel_id in (
         select locked.channel_id from channel_health locked join channels c on c.id = locked.channel_id
         where c.credential_id = :id and c.disconnected_at is null
         order by locked.channel_id for no key update of locked)`,
      { id },
    );
    const actor = { type: 'system', id: 'credential-check' } as const;
    await recordAudit(trx, {
      organizationId,
      workspaceId,
      actor,
      reason,
      action: 'credential.refused',
      targetId: publicId,
    });
    return true;
  });
}

const acceptedSql = (isOfChannel: boolean): string => `
select k.id, k.public_id as "publicId", k.token_encrypted as "sealedToken", k.workspace_id as "workspaceId",
  w.organization_id as "organizationId"
from connection_credentials k join workspaces w on w.id = k.workspace_id
where ${isOfChannel ? 'k.id = (select credential_id from channels where id = :channelId and disconnected_at is null)' : 'k.public_id = :credentialId'}
  and k.refused_at is null
for no key update of k`;

/** Call it when the platform has taken this token. */
export async function acceptCredential(
  db: Knex,
  { credentialId, sealedToken }: { readonly credentialId: number; readonly sealedToken: string },
): Promise<void> {
  await queryRows(
    db,
    `update connection_credentials set refused_at = null, refused_reason = null
     where id = :credentialId and token_encrypted = :sealedToken and refused_at is not null`,
    { credentialId, sealedToken },
  );
}
