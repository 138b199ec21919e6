import type { Knex } from 'knex';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

/** A credential that is to be refreshed. */
export interface DueCredential {
  readonly id: number;
  readonly token: string;
  /** As it is stored: a refresh is kept only while this still stands there. */
  readonly sealedToken: string;
  readonly expiresAt: Date;
  readonly workspaceId: number;
  /** The connected channel that it is for; null where there are several. */
  readonly channelId: number | null;
}

/** Of credentials that end within this time, and that a connected channel needs. */
const dueSql = `k.expires_at < now() + :withinMs * interval '1 millisecond'
  and exists (select from channels c where c.credential_id = k.id and c.disconnected_at is null)`;

/** A worker that dies with claims in its hands leaves them to another after this time. */
const CLAIM_MS = 600_000;

/** Takes up to so many due credentials, each no more often than every few minutes, whichever worker asks. */
export async function claimDueCredentials(
  db: Knex,
  { withinMs, limit }: { readonly withinMs: number; readonly limit: number },
): Promise<{ readonly publicId: string; readonly workspacePublicId: string }[]> {
  const { rows } = await db.raw<{ rows: { public_id: string; workspace_public_id: string }[] }>(
    `with due as (
       select k.id from connection_credentials k
       where ${dueSql}
         and (k.refresh_claimed_at is null or k.refresh_claimed_at < now() - :claimMs * interval '1 millisecond')
       order by k.expires_at limit :limit for no key update skip locked
     )
     update connection_credentials k set refresh_claimed_at = now() from due, workspaces w
     where k.id = due.id and w.id = k.workspace_id
     returning k.public_id, w.public_id as workspace_public_id`,
    { withinMs, limit, claimMs: CLAIM_MS },
  );
  return rows.map((row) => ({ publicId: row.public_id, workspacePublicId: row.workspace_public_id }));
}

interface DueRow {
  id: number;
  token_encrypted: string;
  expires_at: Date;
  workspace_id: number;
  channel_id: number | null;
}

/** A credential while it is due; undefined once it is refreshed, gone, or needed by no channel. */
export async function findDueCredential(
  db: Knex,
  secretBox: SecretBox,
  { publicId, withinMs }: { readonly publicId: string; readonly withinMs: number },
): Promise<DueCredential | undefined> {
  const { rows } = await db.raw<{ rows: DueRow[] }>(
    `select k.id, k.token_encrypted, k.expires_at, k.workspace_id,
       (select case when count(*) = 1 then min(c.id) end from channels c
        where c.credential_id = k.id and c.disconnected_at is null) as channel_id
     from connection_credentials k
     where k.public_id = :publicId and ${dueSql}`,
    { publicId, withinMs },
  );
  const [row] = rows;
  if (!row) return undefined;
  const token = secretBox.open(row.token_encrypted, sealedContexts.credentialToken(publicId));
  const { id, token_encrypted: sealedToken, expires_at: expiresAt } = row;
  return { id, token, sealedToken, expiresAt, workspaceId: row.workspace_id, channelId: row.channel_id };
}

/** Keeps a refreshed token, unless the one that it was got for has been replaced meanwhile. */
export async function storeRefreshed(
  db: Knex,
  secretBox: SecretBox,
  refreshed: {
    readonly publicId: string;
    readonly sealedToken: string;
    readonly token: string;
    readonly expiresAt: Date | null;
  },
): Promise<boolean> {
  const { publicId, sealedToken, token, expiresAt } = refreshed;
  const count = await db('connection_credentials')
    .where({ public_id: publicId, token_encrypted: sealedToken })
    .update({
      token_encrypted: secretBox.seal(token, sealedContexts.credentialToken(publicId)),
      expires_at: expiresAt,
      refreshed_at: db.fn.now(),
    });
  return count === 1;
}
