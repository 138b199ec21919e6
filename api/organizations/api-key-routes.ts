import { apiKeyRoutes as routes } from '../../openapi/organizations/api-key-routes.ts';
import {
  type ApiKeyRecord,
  findApiKey,
  insertApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from '../../db/organizations/api-keys.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { enforcePersonLimit, enforceOrganizationLimit } from '../../db/organizations/limits.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import { auditContext } from '../access/audit-context.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Forbidden, NotFound } from '../requests/errors.ts';
import { type Mount, mountOperation, type OperationRequest } from '../routing/operation.ts';
import { readPage } from '../routing/page.ts';
import { presentApiKey } from './present-api-key.ts';

type KeyRequest = Pick<OperationRequest<typeof routes.revealApiKey>, 'organization' | 'params'>;

export function mountApiKeyRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountOperation(mount, routes.createApiKey, async (request) => {
    const { organization, principal, params, body } = request;
    const expiresAt = expiryOf(body);
    const { name } = body;
    const owner = { organizationId: organization.id, userId: principal.userId };
    const key: NewApiKey = { ...owner, name, scopes: null, ...(expiresAt && { expiresAt }) };
    const { publicId, token, createdAt } = await db.transaction(async (trx) => {
      await enforcePersonLimit(trx, { userId: principal.userId, limit: 'apiKeys' });
      await enforceOrganizationLimit(trx, { organizationId: organization.id, limit: 'apiKeys' });
      const inserted = await insertApiKey(trx, deps, key);
      await recordAudit(trx, { ...auditContext(request), action: 'apiKey.created', targetId: inserted.publicId });
      return inserted;
    });
    return {
      keyId: publicId,
      apiKey: token,
      organizationPublicId: params.org,
      name,
      expiresAt: expiresAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    };
  });

  mountOperation(mount, routes.listApiKeys, async ({ organization, query }) => {
    const page = await readPage(query.limit, {
      read: (limit) => listApiKeys(db, { organizationId: organization.id, after: query.cursor, limit }),
      cursorOf: ({ publicId }) => publicId,
    });
    return { keys: page.items.map((key) => presentApiKey(key, tokenOf(deps, key))), nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.revealApiKey, async (request) => {
    const key = await findOwnKey(deps, request);
    if (key.scopes !== null)
      throw new Forbidden("An agent's key represents one person and is never shown to other users.");
    await recordAudit(db, { ...auditContext(request), action: 'apiKey.revealed', targetId: key.publicId });
    return { keyId: key.publicId, apiKey: tokenOf(deps, key) };
  });

  mountOperation(mount, routes.revokeApiKey, async (request) => {
    const { publicId, agentCredentialId } = await findOwnKey(deps, request);
    await db.transaction(async (trx) => {
      const revoked = await revokeApiKey(trx, { organizationId: request.organization.id, publicId });
      if (!revoked) throw new NotFound('CREDENTIAL_NOT_FOUND');
      await recordAudit(trx, {
        ...auditContext(request),
        action: agentCredentialId === null ? 'apiKey.revoked' : 'agentCredential.revoked',
        targetId: agentCredentialId ?? publicId,
      });
    });
  });
}

async function findOwnKey({ db }: ApiDeps, { organization, params }: KeyRequest): Promise<ApiKeyRecord> {
  const key = await findApiKey(db, { organizationId: organization.id, publicId: params.key });
  if (!key) throw new NotFound('CREDENTIAL_NOT_FOUND');
  return key;
}

function tokenOf({ secretBox }: ApiDeps, { publicId, tokenEncrypted }: ApiKeyRecord): string {
  return secretBox.open(tokenEncrypted, sealedContexts.apiKeyToken(publicId));
}

function expiryOf({ expiresAt }: { readonly expiresAt?: string | undefined }): Date | undefined {
  return expiresAt === undefined ? undefined : new Date(expiresAt);
}
