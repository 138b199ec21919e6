import type { Knex } from 'knex';
import { insertWithFreshId } from '../core/model.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ConnectionCredentialModel } from '../models/channel.ts';

export interface NewCredential {
  readonly workspaceId: number;
  readonly token: string;
  readonly expiresAt?: Date;
}

export async function insertCredential(
  db: Knex,
  secretBox: SecretBox,
  { workspaceId, token, expiresAt }: NewCredential,
): Promise<{ id: number; publicId: string }> {
  const { id, publicId } = await insertWithFreshId(db, ConnectionCredentialModel, {
    kind: 'connectionCredential',
    values: (fresh) => ({
      workspaceId,
      tokenEncrypted: secretBox.seal(token, sealedContexts.credentialToken(fresh)),
      expiresAt: expiresAt ?? null,
    }),
  });
  return { id, publicId };
}
