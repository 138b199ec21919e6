import type { Knex } from 'knex';
import { withFreshId } from '../core/fresh-id.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

export interface NewCredential {
  readonly workspaceId: number;
  /** The platform's token for the connected account. */
  readonly token: string;
  readonly expiresAt?: Date;
}

export async function insertCredential(
  db: Knex,
  secretBox: SecretBox,
  { workspaceId, token, expiresAt }: NewCredential,
): Promise<{ id: number; publicId: string }> {
  return await withFreshId('connectionCredential', async (publicId) => {
    const { rows } = await db.raw<{ rows: { id: number }[] }>(
      `insert into connection_credentials (public_id, workspace_id, token_encrypted, expires_at) values (?, ?, ?, ?)
       on conflict (public_id) do nothing returning id`,
      [publicId, workspaceId, secretBox.seal(token, sealedContexts.credentialToken(publicId)), expiresAt ?? null],
    );
    return rows[0] && { id: rows[0].id, publicId };
  });
}
