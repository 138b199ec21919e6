import type { Knex } from 'knex';
import { type AgentCredentialBody, agentRoutes as routes } from '../../openapi/people/agent-routes.ts';
import { grantableScopes, type Scope } from '../../contract/identity/scopes.ts';
import {
  type AgentCredential,
  listAgentCredentials,
  listRoles,
  revokeAgentCredential,
} from '../../db/people/agent-credentials.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { findOrganization } from '../../db/organizations/organizations.ts';
import { auditActor } from '../access/audit-context.ts';
import { shownOwnEmail } from '../access/shown-people.ts';
import { credentialListViewerOf, credentialViewerOf } from '../access/credential-viewer.ts';
import { issueAgentKey } from './issue-agent-key.ts';
import { requestCode } from './email-code.ts';
import type { Principal } from '../requests/state.ts';
import { AgentRevokesSelfOnly, NotFound } from '../requests/errors.ts';
import { mountOpenOperation } from '../routing/open-operation.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { readPage } from '../routing/page.ts';

export function mountAgentRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountOpenOperation(mount, routes.claimAgentCredential, async ({ body, clientAddress }) => {
    const asked = await askedFor(db, body);
    const { publicId, expiresAt } = await requestCode(deps, {
      purpose: 'agent',
      email: body.email,
      clientAddress,
      browserHash: null, // agents have no browser
      ...asked,
    });
    const message = 'A six-digit code was sent if the address accepts mail. Ask the person for it.';
    return { registrationId: publicId, expiresAt: expiresAt.toISOString(), message };
  });

  mountOpenOperation(mount, routes.completeAgentClaim, async ({ body, requestId, clientAddress }) => {
    return await issueAgentKey(deps, { ...body, requestId, clientAddress });
  });

  mountOperation(mount, routes.listAgentCredentials, async ({ principal, query }) => {
    const viewer = credentialListViewerOf(principal);
    const page = await readPage(query.limit, {
      read: (limit) => listAgentCredentials(db, { viewer, after: query.cursor, limit }),
      cursorOf: ({ publicId }) => publicId,
    });
    return {
      credentials: page.items.map((credential) => presentAgentCredential(principal, credential)),
      nextCursor: page.nextCursor,
    };
  });

  mountOperation(mount, routes.getEligibleScopes, async ({ principal, query }) => {
    const { userId, organization } = principal;
    const page = await readPage(query.limit, {
      read: (limit) => listRoles(db, { userId, organizationId: organization?.id ?? null, after: query.cursor, limit }),
      cursorOf: ({ organizationPublicId }) => organizationPublicId,
    });
    const organizations = page.items.map(({ organizationPublicId, ...membership }) => ({
      organizationPublicId,
      role: membership.role,
      scopes: [...grantableScopes(membership)],
    }));
    return { organizations, nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.revokeAgentCredential, async (request) => {
    const { principal, params, requestId, callerRequestId, clientAddress } = request;
    if (principal.kind === 'agent' && principal.credentialId !== params.ac) throw new AgentRevokesSelfOnly();
    await db.transaction(async (trx) => {
      const revoked = await revokeAgentCredential(trx, { viewer: credentialViewerOf(principal), publicId: params.ac });
      if (!revoked) throw new NotFound('CREDENTIAL_NOT_FOUND');
      const act = { action: 'agentCredential.revoked', targetId: params.ac, requestId, callerRequestId, clientAddress };
      await recordAudit(trx, { organizationId: revoked.organizationId, actor: auditActor(principal), ...act });
    });
  });
}

interface ClaimBody {
  readonly scopes: readonly Scope[];
  readonly organizationId?: string | undefined;
}

/** A missing organization yields no scopes, which is revealed only after the correct code. */
async function askedFor(db: Knex, { scopes, organizationId }: ClaimBody) {
  if (organizationId === undefined) return { scopes: [...new Set(scopes)], organizationId: null };
  const organization = await findOrganization(db, organizationId);
  if (!organization) return { scopes: [], organizationId: null };
  return { scopes: [...new Set(scopes)], organizationId: organization.id };
}

function presentAgentCredential(caller: Principal, credential: AgentCredential): AgentCredentialBody {
  return {
    credentialId: credential.publicId,
    organizationPublicId: credential.organizationPublicId,
    email: shownOwnEmail(caller, credential.email),
    scopes: [...credential.scopes],
    createdAt: credential.createdAt.toISOString(),
    lastUsedAt: credential.lastUsedAt?.toISOString() ?? null,
    expiresAt: credential.expiresAt?.toISOString() ?? null,
  };
}
