import type { Knex } from 'knex';
import { raw } from 'objection';
import type { Scope } from '../../contract/identity/scopes.ts';
import { type Columns, insertWithFreshId, type PageAfter } from '../core/model.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { AgentCredentialModel, ApiKeyModel } from '../models/api-key.ts';
import { OrganizationMemberModel } from '../models/member.ts';
import { OrganizationModel } from '../models/organization.ts';
import { insertApiKey } from '../organizations/api-keys.ts';
import { enforcePersonLimit, enforceOrganizationLimit } from '../organizations/limits.ts';
import { type OrganizationMembership, queryMemberships } from './memberships.ts';

export interface NewAgentCredential {
  readonly organizationId: number;
  readonly userId: number;
  readonly scopes: readonly Scope[];
}

/** Must run in the transaction that completes the code. */
export async function insertAgentCredential(
  trx: Knex.Transaction,
  keys: { readonly secretBox: SecretBox; readonly tokenSalt: Uint8Array },
  credential: NewAgentCredential,
): Promise<{ credentialId: string; token: string }> {
  await enforcePersonLimit(trx, { userId: credential.userId, limit: 'agentCredentials' });
  await enforceOrganizationLimit(trx, { organizationId: credential.organizationId, limit: 'agentCredentials' });
  const key = await insertApiKey(trx, keys, { ...credential, name: 'Agent, by e-mail code' });
  const { publicId: credentialId } = await insertWithFreshId(trx, AgentCredentialModel, {
    kind: 'agentCredential',
    values: { apiKeyId: key.id },
  });
  return { credentialId, token: key.token };
}

/**
 * A person sees their own credentials and those of organizations that they administer; a key, those of its organization
 * or of one person there.
 */
export type CredentialViewer =
  | { readonly kind: 'person'; readonly userId: number }
  | {
      readonly kind: 'key';
      readonly organizationId: number;
      readonly userId: number | null;
      /** Optional. Limits the view to this credential. */
      readonly credentialPublicId?: string;
    };

export interface AgentCredential extends Columns<
  ApiKeyModel,
  'publicId' | 'organizationId' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
> {
  readonly organizationPublicId: string;
  readonly email: string;
  readonly scopes: readonly Scope[];
}

/** Returns undefined if the viewer may not see `after`. */
export async function listAgentCredentials(
  db: Knex,
  { viewer, after, limit }: PageAfter & { readonly viewer: CredentialViewer },
): Promise<AgentCredential[] | undefined> {
  const query = visibleCredentials(db, viewer).modify('valid').orderBy('agentCredential.id', 'desc').limit(limit);
  if (after !== undefined) {
    const last = await visibleCredentials(db, viewer)
      .select('agentCredential.id')
      .findOne('agentCredential.public_id', after);
    if (!last) return undefined;
    query.where('agentCredential.id', '<', last.id);
  }
  return await query.select(columns).castTo<AgentCredential[]>();
}

export async function revokeAgentCredential(
  trx: Knex.Transaction,
  { viewer, publicId }: { viewer: CredentialViewer; publicId: string },
): Promise<{ organizationId: number } | undefined> {
  const ids = visibleCredentials(trx, viewer)
    .select('api_keys.id')
    .where('agentCredential.public_id', publicId)
    .modify('valid');
  const [revoked] = await ApiKeyModel.query(trx)
    .patch({ revokedAt: raw('now()') })
    .whereIn('id', ids)
    .whereNull('revoked_at')
    .returning('organization_id');
  return revoked;
}

/** Includes revoked and expired credentials. */
export async function findCredential(
  db: Knex,
  { viewer, publicId }: { viewer: CredentialViewer; publicId: string },
): Promise<{ apiKeyId: number; organizationId: number } | undefined> {
  return await visibleCredentials(db, viewer)
    .select('api_keys.id as apiKeyId', 'api_keys.organization_id')
    .findOne('agentCredential.public_id', publicId)
    .castTo<{ apiKeyId: number; organizationId: number } | undefined>();
}

/** A person's roles limit the scopes of their agents. */
export async function listRoles(
  db: Knex,
  {
    userId,
    organizationId,
    after,
    limit,
  }: PageAfter & { readonly userId: number; readonly organizationId: number | null },
): Promise<OrganizationMembership[] | undefined> {
  const query = queryMemberships(db).where({ user_id: userId }).orderBy('organization.id', 'desc').limit(limit);
  if (organizationId !== null) query.where({ organization_id: organizationId });
  if (after !== undefined) {
    const last = await OrganizationModel.query(db).select('id').findOne({ public_id: after });
    if (!last) return undefined;
    query.where('organization.id', '<', last.id);
  }
  return await query.castTo<OrganizationMembership[]>();
}

const columns = [
  'agentCredential.public_id',
  'api_keys.organization_id',
  'organization.public_id as organizationPublicId',
  'user.email',
  'scopes',
  'agentCredential.created_at',
  'last_used_at',
  'expires_at',
];

function visibleCredentials(db: Knex, viewer: CredentialViewer) {
  const query = ApiKeyModel.query(db).joinRelated('[agentCredential, organization, user]');
  if (viewer.kind === 'key') {
    query.where({ organization_id: viewer.organizationId });
    if (viewer.credentialPublicId !== undefined) query.where('agentCredential.public_id', viewer.credentialPublicId);
    return viewer.userId === null ? query : query.where({ user_id: viewer.userId });
  }
  const administered = OrganizationMemberModel.query()
    .select('organization_id')
    .where({ user_id: viewer.userId, role: 'admin' });
  return query.where((either) =>
    either.where({ user_id: viewer.userId }).orWhereIn('api_keys.organization_id', administered),
  );
}
