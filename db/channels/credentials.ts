import type { Knex } from 'knex';
import { raw } from 'objection';
import type { ChannelType } from '../../contract/event-types.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ConnectionCredentialModel } from '../models/channel.ts';
import { showRefreshedEnd } from './health-checks.ts';
import { insertWithFreshId } from '../core/model.ts';

export interface DueCredential {
  readonly id: number;
  readonly token: string;
  /** As stored. `storeRefreshed` requires that it is unchanged. */
  readonly sealedToken: string;
  readonly expiresAt: Date;
  readonly workspaceId: number;
  readonly channelId: number | null;
}

/** Only these tokens can be exchanged for a newer one. The others are derived from another token, and only an alert helps. */
const refreshableType: ChannelType = 'chatapp';

/** Of a credential `k` that ends within `:withinMs`. */
export const refreshableSql = `k.expires_at < now() + :withinMs * interval '1 millisecond' and k.refused_at is null
  and exists (select from channels c
    where c.credential_id = k.id and c.disconnected_at is null and c.type = '${refreshableType}')`;

/** Returns the public id of the credential's workspace. Undefined if the credential is not due. */
export async function findRefresh(
  db: Knex,
  { publicId, withinMs }: { readonly publicId: string; readonly withinMs: number },
): Promise<string | undefined> {
  const [due] = await queryRows<{ workspacePublicId: string }>(
    db,
    `select w.public_id as "workspacePublicId" from connection_credentials k join workspaces w on w.id = k.workspace_id
     where k.public_id = :publicId and ${refreshableSql}`,
    { publicId, withinMs },
  );
  return due?.workspacePublicId;
}

export async function findDueCredential(
  db: Knex,
  secretBox: SecretBox,
  { publicId, withinMs }: { readonly publicId: string; readonly withinMs: number },
): Promise<DueCredential | undefined> {
  const [due] = await queryRows<Omit<DueCredential, 'token'>>(
    db,
    `select k.id, k.token_encrypted as "sealedToken", k.expires_at as "expiresAt", k.workspace_id as "workspaceId",
       (select case when count(*) = 1 then min(c.id) end from channels c
        where c.credential_id = k.id and c.disconnected_at is null) as "channelId"
     from connection_credentials k
     where k.public_id = :publicId and ${refreshableSql}`,
    { publicId, withinMs },
  );
  return due && { ...due, token: secretBox.open(due.sealedToken, sealedContexts.credentialToken(publicId)) };
}

export interface RefreshedCredential {
  readonly publicId: string;
  readonly sealedToken: string;
  readonly token: string;
  readonly expiresAt: Date | null;
}

export async function storeRefreshed(
  db: Knex,
  secretBox: SecretBox,
  { publicId, sealedToken, token, expiresAt }: RefreshedCredential,
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const count = await ConnectionCredentialModel.query(trx)
      .where({ public_id: publicId, token_encrypted: sealedToken })
      .patch({
        tokenEncrypted: secretBox.seal(token, sealedContexts.credentialToken(publicId)),
        expiresAt,
        refreshedAt: raw('now()'),
        refusedAt: null,
        refusedReason: null,
      });
    if (count === 1) await showRefreshedEnd(trx, { credentialPublicId: publicId, expiresAt });
    return count === 1;
  });
}

interface NewCredential {
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
