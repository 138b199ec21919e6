import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import {
  agentClaimCompletion,
  agentClaimInput,
  agentClaimSchema,
  agentCredentialListQuery,
  agentCredentialListSchema,
  agentTokenSchema,
  eligibleScopesQuery,
  eligibleScopesSchema,
  protectedResourceSchema,
} from './agent-schema.ts';
import { byPrincipals, openAccess, tenantPrincipals } from '../definitions/route-definition.ts';

/** An agent needs no scope for its own credential. */
const aboutCaller = byPrincipals(tenantPrincipals, { within: 'person' });

export const agentRoutes = defineRoutes('Agents', {
  claimAgentCredential: {
    route: 'POST /agent/auth/claim',
    summary: 'Requests a code for an agent credential',
    description: 'Sends a code to an email address. The response is the same for every address.',
    access: openAccess,
    body: agentClaimInput,
    status: 202,
    answer: agentClaimSchema,
    errors: workflowErrors,
  },
  completeAgentClaim: {
    route: 'POST /agent/auth/claim/complete',
    summary: 'Exchanges a code for an API key with scopes',
    remarks: 'The key is shown once. It has the requested scopes that the role of the person allows.',
    access: openAccess,
    body: agentClaimCompletion,
    answer: agentTokenSchema,
    errors: ['OTP_INVALID', 'OTP_LOCKED', 'OTP_EXPIRED', 'ORGANIZATION_NOT_FOUND', 'FORBIDDEN', 'LIMIT_REACHED'],
  },
  listAgentCredentials: {
    route: 'GET /agent/credentials',
    summary: "Lists the person's agent credentials, newest first",
    description:
      'Admins see all agent credentials of the organization. An agent without the scope `credentials.manage` sees only ' +
      'its own.',
    access: aboutCaller,
    query: agentCredentialListQuery,
    answer: agentCredentialListSchema,
  },
  getEligibleScopes: {
    route: 'GET /agent/credentials/eligible-scopes',
    summary: 'Lists the scopes that the person can grant to an agent, by organization',
    remarks: 'By the role of the person in each organization.',
    access: aboutCaller,
    query: eligibleScopesQuery,
    answer: eligibleScopesSchema,
  },
  revokeAgentCredential: {
    route: 'DELETE /agent/credentials/{ac}',
    summary: 'Revokes an agent credential',
    description: 'The credential stops working immediately. An agent can revoke only its own.',
    access: aboutCaller,
    errors: ['AGENT_KEY_REVOKE_SELF_ONLY'],
  },
  getProtectedResource: {
    route: 'GET /.well-known/oauth-protected-resource',
    summary: 'Returns the protected resource metadata of the API (RFC 9728)',
    remarks: 'For clients that discover how to authenticate.',
    access: openAccess,
    answer: protectedResourceSchema,
  },
  getProtectedResourceOfMcp: {
    route: 'GET /.well-known/oauth-protected-resource/mcp',
    summary: 'Returns the protected resource metadata of the tools at /mcp',
    remarks: 'For clients that discover how to authenticate.',
    access: openAccess,
    answer: protectedResourceSchema,
  },
});
