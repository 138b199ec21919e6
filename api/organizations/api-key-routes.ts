import type { Knex } from 'knex';
import { apiKeyRoutes as routes } from '../../openapi/organizations/api-key-routes.ts';
import {
  type ApiKeyRecord,
  findApiKey,
  insertApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from '../../db/organizations/api-keys.ts';
import { type ApiKeyChange, type ApiKeyOutcome, changeApiKey } from '../../db/organizations/change-api-key.ts';
import { findWorkspaceIds } from '../../db/organizations/workspaces.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { enforcePersonLimit, enforceOrganizationLimit } from '../../db/organizations/limits.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import { auditContext } from '../access/audit-context.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Forbidden, InvalidRequest, NotFound } from '../requests/errors.ts';
import { type Mount, mountOperation, type OperationRequest } from '../routing/operation.ts';
import { readPage } from '../routing/page.ts';
import { describeLimits } from './describe-limits.ts';
import { presentApiKey, presentLimits } from './present-api-key.ts';

type KeyRequest = Pick<OperationRequest<typeof routes.revealApiKey>, 'organization' | 'params'>;

export function mountApiKeyRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountOperation(mount, routes.createApiKey, async (request) => {
    const { organization, principal, params, body } = request;
    const { name, workspaceIds = null, scopes = null, allowedCidrs = null } = body;
    const key: NewApiKey = {
      ...{ organizationId: organization.id, userId: principal.userId, name, scopes, ownedByOrganization: true },
      allowedCidrs: allowedCidrs ?? undefined,
      workspaceIds: await workspacesOf(db, organization.id, body.workspaceIds),
      expiresAt: body.expiresAt === undefined ? undefined : new Date(body.expiresAt),
    };
    const { publicId, token, createdAt } = await db.transaction(async (trx) => {
      await enforcePersonLimit(trx, { userId: principal.userId, limit: 'apiKeys' });
      await enforceOrganizationLimit(trx, { organizationId: organization.id, limit: 'apiKeys' });
      const inserted = await insertApiKey(trx, deps, key);
      const entry = { ...auditContext(request), action: 'apiKey.created', targetId: inserted.publicId };
      await recordAudit(trx, { ...entry, reason: describeLimits(body) });
      return inserted;
    });
    return {
      keyId: publicId,
      apiKey: token,
      organizationPublicId: params.org,
      name,
      ...presentLimits({ scopes, workspaceIds, allowedCidrs }),
      expiresAt: key.expiresAt?.toISOString() ?? null,
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
    if (key.scopes !== null && !key.ownedByOrganization)
      throw new Forbidden("An agent's key represents one person and is never shown to other users.");
    await recordAudit(db, { ...auditContext(request), action: 'apiKey.revealed', targetId: key.publicId });
    return { keyId: key.publicId, apiKey: tokenOf(deps, key) };
  });

  mountOperation(mount, routes.changeApiKey, (request) => changeKey(deps, request));

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

async function changeKey(deps: ApiDeps, request: OperationRequest<typeof routes.changeApiKey>) {
  const { db } = deps;
  const { organization, params, body } = request;
  const { workspaceIds, expiresAt, ...others } = body;
  const change: ApiKeyChange = {
    ...{ organizationId: organization.id, publicId: params.key, ...others },
    workspaceIds: await workspacesOf(db, organization.id, workspaceIds),
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
  };
  await db.transaction(async (trx) => {
    refuseChange(await changeApiKey(trx, change));
    const limits = describeLimits(body);
    const reason = `changed ${Object.keys(body).join(', ') || 'nothing'}${limits === null ? '' : `: ${limits}`}`;
    await recordAudit(trx, { ...auditContext(request), action: 'apiKey.changed', targetId: params.key, reason });
  });
  const key = await findOwnKey(deps, request);
  return presentApiKey(key, tokenOf(deps, key));
}

function refuseChange(outcome: ApiKeyOutcome): void {
  switch (outcome) {
    case 'changed':
      return;
    case 'gone':
      throw new NotFound('CREDENTIAL_NOT_FOUND');
    case 'expired':
      throw new InvalidRequest('The key has expired. Create a new one.');
    case 'wider_scopes':
      throw new InvalidRequest('body.scopes: the key lacks one of these. Create another key for more rights.');
    case 'wider_workspaces':
      throw new InvalidRequest('body.workspaceIds: the key cannot reach one of these. Create another key for them.');
  }
}

/** Refuses workspaces of other organizations like missing ones. */
async function workspacesOf(
  db: Knex,
  organizationId: number,
  publicIds: readonly string[] | undefined,
): Promise<number[] | undefined> {
  if (publicIds === undefined) return undefined;
  const ids = await findWorkspaceIds(db, { organizationId, publicIds });
  if (ids.length < new Set(publicIds).size) throw new NotFound('WORKSPACE_NOT_FOUND');
  return ids;
}
