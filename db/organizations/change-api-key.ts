import type { Knex } from 'knex';
import { raw } from 'objection';
import { isNarrower } from '../../contract/identity/key-limits.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import { ApiKeyModel } from '../models/api-key.ts';

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
