import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { raw } from 'objection';
import type { Scope } from '../../contract/identity/scopes.ts';
import { hashKey } from '../core/opaque-tokens.ts';
import { type Columns, insertWithFreshId, listAfter, type PageAfter } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ApiKeyModel } from '../models/api-key.ts';
import { isNarrower } from '../../contract/identity/key-limits.ts';

const TOKEN_PREFIX = 'hmok_';
const TOKEN_BYTES = 32;

export interface NewApiKey {
  readonly organizationId: number;
  readonly userId: number;
  readonly name: string;
  readonly scopes: readonly Scope[] | null;
  /** Optional. Default: all of the organization. */
  readonly workspaceIds?: readonly number[] | undefined;
  /** Optional. Default: any address. */
  readonly allowedCidrs?: readonly string[] | undefined;
  /** Optional. Whether a key with scopes outlives its creator's membership. Default: false. */
  readonly ownedByOrganization?: boolean;
  readonly expiresAt?: Date | undefined;
}

/** The table keeps the token sealed, with a keyed hash for lookups. */
export async function insertApiKey(
  db: Knex,
  { secretBox, tokenSalt }: { secretBox: SecretBox; tokenSalt: Uint8Array },
  key: NewApiKey,
): Promise<{ id: number; publicId: string; token: string; createdAt: Date }> {
  const { expiresAt, workspaceIds, allowedCidrs, ownedByOrganization = false, ...others } = key;
  const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  const { id, publicId, createdAt } = await insertWithFreshId(db, ApiKeyModel, {
    kind: 'apiKey',
    values: (freshId) => ({
      ...others,
      ownedByOrganization,
      workspaceIds: workspaceIds ?? null,
      allowedCidrs: allowedCidrs ?? null,
      expiresAt: expiresAt ?? null,
      tokenHash: hashKey(tokenSalt, token),
      tokenEncrypted: secretBox.seal(token, sealedContexts.apiKeyToken(freshId)),
    }),
  });
  return { id, publicId, token, createdAt };
}

export async function revealApiKey(
  db: Knex,
  secretBox: SecretBox,
  { organizationId, name }: { organizationId: number; name: string },
): Promise<string | undefined> {
  const key = await ApiKeyModel.query(db)
    .select('public_id', 'token_encrypted')
    .where({ organization_id: organizationId, name })
    .modify('valid')
    .orderBy('id')
    .first();
  return key && secretBox.open(key.tokenEncrypted, sealedContexts.apiKeyToken(key.publicId));
}

export interface ApiKeyRecord extends Columns<
  ApiKeyModel,
  | 'publicId'
  | 'name'
  | 'tokenEncrypted'
  | 'scopes'
  | 'allowedCidrs'
  | 'ownedByOrganization'
  | 'createdAt'
  | 'expiresAt'
  | 'lastUsedAt'
> {
  /** Public ids. Null for the whole organization. */
  readonly workspaceIds: readonly string[] | null;
  /** Null unless an agent got the key by email code. */
  readonly agentCredentialId: string | null;
}

const visibleWorkspaces = `
case when api_keys.workspace_ids is not null then array(select w.public_id from workspaces w
  where w.id = any(api_keys.workspace_ids) and w.deleted_at is null order by w.id) end as workspace_ids`;

function unrevokedKeys(db: Knex, organizationId: number) {
  return ApiKeyModel.query(db)
    .leftJoinRelated('agentCredential')
    .where({ organization_id: organizationId })
    .whereNull('revoked_at')
    .select('api_keys.public_id', 'name', 'token_encrypted', 'scopes', 'agentCredential.public_id as agentCredentialId')
    .select('api_keys.created_at', 'expires_at', 'last_used_at', 'allowed_cidrs', 'owned_by_organization')
    .select(raw(visibleWorkspaces));
}

export async function listApiKeys(
  db: Knex,
  { organizationId, ...page }: PageAfter & { readonly organizationId: number },
): Promise<ApiKeyRecord[] | undefined> {
  return await listAfter(unrevokedKeys(db, organizationId), { of: { organization_id: organizationId }, ...page });
}

export async function findApiKey(
  db: Knex,
  { organizationId, publicId }: { organizationId: number; publicId: string },
): Promise<ApiKeyRecord | undefined> {
  return await unrevokedKeys(db, organizationId)
    .findOne('api_keys.public_id', publicId)
    .castTo<ApiKeyRecord | undefined>();
}

/** Includes revoked keys. Returns the id that names the key in records: that of the agent's credential if it has one. */
export async function findKeyCredentialId(
  db: Knex,
  { organizationId, publicId }: { organizationId: number; publicId: string },
): Promise<string | undefined> {
  const key = await ApiKeyModel.query(db)
    .leftJoinRelated('agentCredential')
    .select(raw('coalesce("agentCredential".public_id, api_keys.public_id)').as('credentialId'))
    .findOne({ organization_id: organizationId, 'api_keys.public_id': publicId })
    .castTo<{ credentialId: string } | undefined>();
  return key?.credentialId;
}

export async function revokeApiKey(
  db: Knex,
  { organizationId, publicId }: { organizationId: number; publicId: string },
): Promise<boolean> {
  const count = await ApiKeyModel.query(db)
    .patch({ revokedAt: raw('now()') })
    .where({ organization_id: organizationId, public_id: publicId })
    .whereNull('revoked_at');
  return count === 1;
}

export interface KeyUse {
  readonly publicId: string;
  readonly usedAt: Date;
}

/** Keeps a later use recorded by another process. */
export async function recordKeyUses(db: Knex, uses: readonly KeyUse[]): Promise<void> {
  await queryRows(
    db,
    `update api_keys k set last_used_at = u.used_at
     from unnest(cast(:publicIds as text[]), cast(:instants as timestamptz[])) as u (public_id, used_at)
     where k.public_id = u.public_id and (k.last_used_at is null or k.last_used_at < u.used_at)`,
    { publicIds: uses.map(({ publicId }) => publicId), instants: uses.map(({ usedAt }) => usedAt) },
  );
}

export interface ApiKeyChange {
  readonly organizationId: number;
  readonly publicId: string;
  readonly name?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly workspaceIds?: readonly number[] | undefined;
  readonly allowedCidrs?: readonly string[] | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}

export type ApiKeyOutcome = 'changed' | 'gone' | 'expired' | 'wider_scopes' | 'wider_workspaces';

/** The lock makes each change compare with the previous one. */
export async function changeApiKey(trx: Knex, change: ApiKeyChange): Promise<ApiKeyOutcome> {
  const { organizationId, publicId, ...changes } = change;
  const { scopes, workspaceIds } = changes;
  const key = await ApiKeyModel.query(trx)
    .select('id', 'scopes', raw('to_jsonb(workspace_ids) as workspace_ids'), 'owned_by_organization', 'revoked_at')
    .select(raw('coalesce(expires_at <= now(), false) as is_expired'))
    .findOne({ organization_id: organizationId, public_id: publicId })
    .forNoKeyUpdate()
    .castTo<(ApiKeyModel & { readonly isExpired: boolean }) | undefined>();
  if (!key || key.revokedAt !== null) return 'gone';
  if (key.isExpired) return 'expired';
  if (scopes !== undefined && !isNarrower(key.scopes, scopes)) return 'wider_scopes';
  if (workspaceIds !== undefined && !isNarrower(key.workspaceIds, workspaceIds)) return 'wider_workspaces';
  await ApiKeyModel.query(trx)
    .findById(key.id)
    // Objection omits undefined fields. A key that had full access still belongs to the organization.
    .patch({ ...changes, ownedByOrganization: key.ownedByOrganization || key.scopes === null } as Partial<ApiKeyModel>);
  return 'changed';
}
