import { z } from 'zod';
import { codePattern } from '../../contract/identity/email-code.ts';
import { organizationRoles } from '../../contract/identity/roles.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { idField, instantField, listQuery, namedObject, namedPage, nextCursorField } from '../definitions/fields.ts';
import { emailField } from './session-routes.ts';
import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, openAccess, tenantPrincipals } from '../definitions/route-definition.ts';

const scopesField = z.array(z.enum(scopes));
const credentialIdField = idField('agentCredential', 'The agent credential.');
const organizationIdField = idField('organization', 'The organization.');

const agentClaimInput = namedObject('AgentClaimInput', {
  email: emailField.describe('The address of the person for whom the agent acts. It receives the code.'),
  scopes: scopesField.min(1).max(scopes.length).describe('The requested scopes.'),
  organizationId: organizationIdField
    .optional()
    .describe("One of the person's organizations; the oldest one by default."),
});

const agentClaimSchema = namedObject('AgentClaim', {
  registrationId: idField('registration', 'Send it back with the code.'),
  expiresAt: instantField.describe('When the code expires.'),
  message: z.string(),
});

const agentClaimCompletion = namedObject('AgentClaimCompletion', {
  registrationId: idField('registration', 'The id from the claim.'),
  otp: z
    .string()
    .regex(codePattern, 'must be the six digits from the email')
    .describe('The six digits from the email.'),
});

const agentTokenSchema = namedObject('AgentToken', {
  accessToken: z
    .string()
    .regex(/^hmok_/)
    .describe('An API key with these scopes. It is shown only once.'),
  tokenType: z.literal('Bearer'),
  scopes: scopesField.describe("The requested scopes that the person's role allows."),
  credentialId: credentialIdField,
  organizationPublicId: organizationIdField,
  expiresAt: instantField.nullable(),
});
const agentCredentialSchema = namedObject('AgentCredential', {
  credentialId: credentialIdField,
  organizationPublicId: organizationIdField,
  email: z
    .string()
    .nullable()
    .describe('The person for whom the agent acts. Null for keys that are limited to scopes or workspaces.'),
  scopes: scopesField,
  createdAt: instantField,
  lastUsedAt: instantField.nullable().describe('Accurate to half a minute.'),
  expiresAt: instantField.nullable(),
});
const agentCredentialListSchema = namedPage('AgentCredentialList', { credentials: agentCredentialSchema });

const eligibleScopesSchema = namedObject('EligibleScopes', {
  organizations: z.array(
    z.strictObject({
      organizationPublicId: organizationIdField,
      role: z.enum(organizationRoles),
      scopes: scopesField,
    }),
  ),
  nextCursor: nextCursorField,
});

/** Protected resource metadata (RFC 9728). */
const protectedResourceSchema = namedObject('ProtectedResource', {
  resource: z.url(),
  resource_name: z.string(),
  scopes_supported: scopesField,
  bearer_methods_supported: z.array(z.literal('header')),
  resource_documentation: z.url(),
});
export type ProtectedResourceBody = z.output<typeof protectedResourceSchema>;

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
    query: listQuery,
    answer: agentCredentialListSchema,
  },
  getEligibleScopes: {
    route: 'GET /agent/credentials/eligible-scopes',
    summary: 'Lists the scopes that the person can grant to an agent, by organization',
    remarks: 'By the role of the person in each organization.',
    access: aboutCaller,
    query: listQuery,
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
