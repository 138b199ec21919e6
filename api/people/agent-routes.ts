import type { Knex } from 'knex';
import { agentRoutes as routes } from '../../openapi/people/agent-routes.ts';
import { grantableScopes, type Scope } from '../../contract/identity/scopes.ts';
import {
  insertAgentCredential,
  listAgentCredentials,
  listRoles,
  revokeAgentCredential,
} from '../../db/people/agent-credentials.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { findOrganization } from '../../db/organizations/organizations.ts';
import { auditActor } from '../access/audit-context.ts';
import { shownOwnEmail } from '../access/shown-people.ts';
import { credentialListViewerOf, credentialViewerOf } from '../access/credential-viewer.ts';
import { type CodeRedemption, redeemCode, requestCode } from './email-code.ts';
import { AgentRevokesSelfOnly, Forbidden, NotFound } from '../requests/errors.ts';
import { mountOpenRoute } from '../routing/mount-open-route.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';
import type { Registration } from '../../db/people/email-codes.ts';
import { ensurePerson, findPersonIn, type Person } from '../../db/people/ensure-person.ts';
import type { ApiDeps } from '../requests/deps.ts';

export function mountAgentRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountOpenRoute(mount, routes.claimAgentCredential, async ({ body, clientAddress }) => {
    const asked = await askedFor(db, body);
    const { publicId, expiresAt } = await requestCode(deps, {
      purpose: 'agent',
      email: body.email,
      clientAddress,
      browserHash: null, // agents have no browser
      ...asked,
    });
    const message = 'A six-digit code was sent if the address accepts mail. Ask the person for it.';
    return { registrationId: publicId, expiresAt, message };
  });

  mountOpenRoute(mount, routes.completeAgentClaim, async ({ body, requestId, clientAddress }) => {
    return await issueAgentKey(deps, { ...body, requestId, clientAddress });
  });

  mountRoute(mount, routes.listAgentCredentials, async ({ principal, query }) => {
    const viewer = credentialListViewerOf(principal);
    const page = await readNamedPage(query, 'publicId', (after) => listAgentCredentials(db, { viewer, ...after }));
    const credentials = page.items.map((credential) => ({
      ...credential,
      credentialId: credential.publicId,
      email: shownOwnEmail(principal, credential.email),
    }));
    return { credentials, nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.getEligibleScopes, async ({ principal, query }) => {
    const { userId, organization } = principal;
    const page = await readNamedPage(query, 'organizationPublicId', (after) =>
      listRoles(db, { userId, organizationId: organization?.id ?? null, ...after }),
    );
    const organizations = page.items.map(({ organizationPublicId, ...membership }) => ({
      organizationPublicId,
      role: membership.role,
      scopes: grantableScopes(membership),
    }));
    return { organizations, nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.revokeAgentCredential, async (request) => {
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

type Claim = Omit<CodeRedemption, 'purpose'>;

/** Refusals are values, because a correct code is used up even if it yields no key. */
type Issue =
  | {
      readonly state: 'issued';
      readonly token: string;
      readonly credentialId: string;
      readonly scopes: readonly Scope[];
      readonly organizationPublicId: string;
    }
  | { readonly state: 'no_organization' }
  | { readonly state: 'no_scope' };

async function issueAgentKey(deps: ApiDeps, claim: Claim) {
  const issue = await redeemCode(deps, { ...claim, purpose: 'agent' }, (trx, registration) =>
    issueWithin(trx, deps, { claim, registration }),
  );
  switch (issue.state) {
    case 'no_organization':
      throw new NotFound('ORGANIZATION_NOT_FOUND');
    case 'no_scope':
      throw new Forbidden("The person's role in the organization allows none of these scopes.");
    case 'issued': {
      const { token, credentialId, scopes, organizationPublicId } = issue;
      const ids = { credentialId, organizationPublicId };
      return { accessToken: token, tokenType: 'Bearer' as const, scopes, ...ids, expiresAt: null };
    }
  }
}

interface Right {
  readonly claim: Claim;
  readonly registration: Registration;
}

async function issueWithin(trx: Knex.Transaction, deps: ApiDeps, { claim, registration }: Right): Promise<Issue> {
  const asked = registration.scopes ?? [];
  if (asked.length === 0) return { state: 'no_organization' };
  const person = await personIn(trx, registration);
  if (!person) return { state: 'no_organization' };
  const allowed = grantableScopes(person);
  const scopes = asked.filter((scope) => allowed.includes(scope));
  if (scopes.length === 0) return { state: 'no_scope' };

  const { organizationId, organizationPublicId, user } = person;
  const { token, credentialId } = await insertAgentCredential(trx, deps, { organizationId, userId: user.id, scopes });
  const audit = {
    organizationId,
    actor: { type: 'user', id: user.publicId },
    requestId: claim.requestId,
    clientAddress: claim.clientAddress,
  } as const;
  if (person.isNew) {
    await recordAudit(trx, { ...audit, action: 'organization.created', targetId: organizationPublicId });
  }
  await recordAudit(trx, { ...audit, action: 'agentCredential.issued', targetId: credentialId });
  return { state: 'issued', token, credentialId, scopes, organizationPublicId };
}

/** Creates no user for an organization that the address does not belong to. */
async function personIn(trx: Knex.Transaction, { email, organizationId }: Registration): Promise<Person | undefined> {
  if (organizationId === null) return await ensurePerson(trx, { email });
  return await findPersonIn(trx, { email, organizationId });
}
