import type { Knex } from 'knex';
import type { AgentTokenBody } from '../../openapi/people/agent-routes.ts';
import { grantableScopes, type Scope } from '../../contract/identity/scopes.ts';
import { insertAgentCredential } from '../../db/people/agent-credentials.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import type { Registration } from '../../db/people/email-codes.ts';
import { ensurePerson, findPersonIn, type Person } from '../../db/people/ensure-person.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { type CodeRedemption, redeemCode } from './email-code.ts';
import { Forbidden, NotFound } from '../requests/errors.ts';

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

export async function issueAgentKey(deps: ApiDeps, claim: Claim): Promise<AgentTokenBody> {
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
      return { accessToken: token, tokenType: 'Bearer', scopes: [...scopes], ...ids, expiresAt: null };
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
