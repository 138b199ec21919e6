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
import { byScope, tenantPrincipals, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Agents';
const open = { auth: 'none' } as const;
/** About whoever calls, and harmless: an agent needs no scope to look at itself and to give itself up. */
const aboutOneself = {
  auth: 'credential',
  principals: tenantPrincipals,
  scope: null,
  within: 'person',
  role: 'member',
} as const;

const metadata = {
  tag,
  method: 'get',
  parameters: {},
  access: open,
  success: { status: 200, body: protectedResourceSchema },
  errors: [],
} as const;

export const agentRoutes = {
  claimAgentCredential: {
    operationId: 'claimAgentCredential',
    summary: 'Sends a code to an e-mail address, for an agent that wants a key; the same answer for every address',
    tag,
    method: 'post',
    path: '/agent/auth/claim',
    parameters: {},
    access: open,
    body: agentClaimInput,
    success: { status: 202, body: agentClaimSchema },
    errors: ['VALIDATION_ERROR', 'RATE_LIMITED', 'WORKFLOW_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN'],
  },
  completeAgentClaim: {
    operationId: 'completeAgentClaim',
    summary: 'Exchanges the code for an API key with scopes',
    tag,
    method: 'post',
    path: '/agent/auth/claim/complete',
    parameters: {},
    access: open,
    body: agentClaimCompletion,
    success: { status: 200, body: agentTokenSchema },
    errors: [
      'VALIDATION_ERROR',
      'OTP_INVALID',
      'OTP_LOCKED',
      'OTP_EXPIRED',
      'RATE_LIMITED',
      'ORGANIZATION_NOT_FOUND',
      'FORBIDDEN',
      'LIMIT_REACHED',
    ],
  },
  listAgentCredentials: {
    operationId: 'listAgentCredentials',
    summary: "Lists the person's agent credentials, and everybody's of an organization for its admins; newest first",
    tag,
    method: 'get',
    path: '/agent/credentials',
    parameters: {},
    access: byScope('credentials.manage', { within: 'person' }),
    query: agentCredentialListQuery,
    success: { status: 200, body: agentCredentialListSchema },
    errors: [],
  },
  getEligibleScopes: {
    operationId: 'getEligibleScopes',
    summary: 'Lists the scopes that the person can hand to an agent, by organization, newest first',
    tag,
    method: 'get',
    path: '/agent/credentials/eligible-scopes',
    parameters: {},
    access: aboutOneself,
    query: eligibleScopesQuery,
    success: { status: 200, body: eligibleScopesSchema },
    errors: [],
  },
  revokeAgentCredential: {
    operationId: 'revokeAgentCredential',
    summary: 'Revokes an agent credential at once; an agent may revoke only its own',
    tag,
    method: 'delete',
    path: '/agent/credentials/{ac}',
    parameters: { ac: { kind: 'agentCredential', notFound: 'CREDENTIAL_NOT_FOUND' } },
    access: aboutOneself,
    success: { status: 204, body: null },
    errors: ['AGENT_KEY_REVOKE_SELF_ONLY'],
  },
  getProtectedResource: {
    ...metadata,
    operationId: 'getProtectedResource',
    summary: 'Tells a client how this API is protected and where to read how to get a key (RFC 9728)',
    path: '/.well-known/oauth-protected-resource',
  },
  getProtectedResourceOfMcp: {
    ...metadata,
    operationId: 'getProtectedResourceOfMcp',
    summary: 'The same for the tools at /mcp',
    path: '/.well-known/oauth-protected-resource/mcp',
  },
} as const satisfies Record<string, RouteDefinition>;
