import type { Knex } from 'knex';
import { apiKeyRoutes as routes } from '../../openapi/organizations/api-key-routes.ts';
import {
  type ApiKeyChange,
  type ApiKeyOutcome,
  type ApiKeyRecord,
  changeApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from '../../db/organizations/api-keys.ts';
import { findWorkspaceIds } from '../../db/organizations/workspaces.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { enforceOrganizationLimit, enforcePersonLimit } from '../../db/organizations/limits.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import { auditContext } from '../access/audit-context.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Forbidden, InvalidRequest, NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute, type RouteRequest } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';

type KeyRequest = Pick<RouteRequest<typeof routes.revealApiKey>, 'organization' | 'params'>;

export function mountApiKeyRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountRoute(mount, routes.createApiKey, async (request) => {
    const { organization, principal, params, body } = request;
    const { name, workspaceIds = null, scopes = null, allowedCidrs = null } = body;
    const key: NewApiKey = {
      organizationId: organization.id,
      userId: principal.userId,
      name,
      scopes,
      ownedByOrganization: true,
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
      scopes,
      workspaceIds,
      allowedCidrs,
      createdAt,
      expiresAt: key.expiresAt ?? null,
    };
  });

  mountRoute(mount, routes.listApiKeys, async ({ organization, query }) => {
    const page = await readNamedPage(query, 'publicId', (after) =>
      listApiKeys(db, { organizationId: organization.id, ...after }),
    );
    return { keys: page.items.map((key) => present(deps, key)), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.revealApiKey, async (request) => {
    const key = await findOwnKey(deps, request);
    if (key.scopes !== null && !key.ownedByOrganization)
      throw new Forbidden("An agent's key represents one person and is never shown to other users.");
    await recordAudit(db, { ...auditContext(request), action: 'apiKey.revealed', targetId: key.publicId });
    return { keyId: key.publicId, apiKey: tokenOf(deps, key) };
  });

  mountRoute(mount, routes.changeApiKey, (request) => changeKey(deps, request));

  mountRoute(mount, routes.revokeApiKey, async (request) => {
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

/** Enough to identify a key without revealing it. */
const SHOWN_START = 14;
const SHOWN_END = 4;

function present(deps: ApiDeps, key: ApiKeyRecord) {
  const token = tokenOf(deps, key);
  return { ...key, keyId: key.publicId, keyPrefix: token.slice(0, SHOWN_START), keySuffix: token.slice(-SHOWN_END) };
}

async function changeKey(deps: ApiDeps, request: RouteRequest<typeof routes.changeApiKey>) {
  const { db } = deps;
  const { organization, params, body } = request;
  const { workspaceIds, expiresAt, ...others } = body;
  const change: ApiKeyChange = {
    ...others,
    organizationId: organization.id,
    publicId: params.key,
    workspaceIds: await workspacesOf(db, organization.id, workspaceIds),
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
  };
  await db.transaction(async (trx) => {
    refuseChange(await changeApiKey(trx, change));
    const limits = describeLimits(body);
    const reason = `changed ${Object.keys(body).join(', ') || 'nothing'}${limits === null ? '' : `: ${limits}`}`;
    await recordAudit(trx, { ...auditContext(request), action: 'apiKey.changed', targetId: params.key, reason });
  });
  return present(deps, await findOwnKey(deps, request));
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

interface Limits {
  readonly scopes?: readonly string[] | undefined;
  /** Public ids. */
  readonly workspaceIds?: readonly string[] | undefined;
  readonly allowedCidrs?: readonly string[] | null | undefined;
  readonly expiresAt?: string | null | undefined;
}

/** For the audit log, which must say what a key could do at most. Null without limits; omits those that are undefined. */
function describeLimits({ scopes, workspaceIds, allowedCidrs, expiresAt }: Limits): string | null {
  const parts = [
    ...(scopes ? [`scopes ${scopes.join(' ')}`] : []),
    ...(workspaceIds ? [`workspaces ${workspaceIds.join(' ')}`] : []),
    ...(allowedCidrs === undefined ? [] : [allowedCidrs ? `addresses ${allowedCidrs.join(' ')}` : 'any address']),
    ...(expiresAt === undefined ? [] : [expiresAt === null ? 'no end' : `until ${expiresAt}`]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}
