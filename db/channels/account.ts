import type { Knex } from 'knex';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

/** The platform account behind a channel, with the token to act for it. */
export interface ChannelAccount {
  readonly resourceId: string;
  readonly token: string;
}

/**
 * The account of a connected channel, with its present credential; undefined where the channel is disconnected, or is
 * no longer in the workspace that is asked for: what one workspace began is not for the credential of the next.
 */
export async function findChannelAccount(
  db: Knex,
  secretBox: SecretBox,
  { id, workspaceId }: { readonly id: number; readonly workspaceId?: number },
): Promise<ChannelAccount | undefined> {
  const { rows } = await db.raw<{ rows: { resource_id: string; public_id: string; token_encrypted: string }[] }>(
    `select c.resource_id, cred.public_id, cred.token_encrypted
     from channels c join connection_credentials cred on cred.id = c.credential_id
     where c.id = ? and c.disconnected_at is null and c.workspace_id = coalesce(?, c.workspace_id)`,
    [id, workspaceId ?? null],
  );
  const [row] = rows;
  if (!row) return undefined;
  const token = secretBox.open(row.token_encrypted, sealedContexts.credentialToken(row.public_id));
  return { resourceId: row.resource_id, token };
}
