import { z } from 'zod';
import { codePattern } from '../../contract/identity/email-code.ts';
import { organizationRoles } from '../../contract/identity/roles.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { idField, instantField, namedObject, nextCursorField, pageQuery } from '../definitions/fields.ts';
import { emailField } from './session-schema.ts';

const scopesField = z.array(z.enum(scopes));
const credentialIdField = idField('agentCredential', 'The agent credential.');
const organizationIdField = idField('organization', 'The organization.');

export const agentClaimInput = namedObject('AgentClaimInput', {
  email: emailField.describe('The address of the person for whom the agent acts. It receives the code.'),
  scopes: scopesField.min(1).max(scopes.length).describe('The requested scopes.'),
  organizationId: organizationIdField
    .optional()
    .describe("One of the person's organizations; the oldest one by default."),
});

export const agentClaimSchema = namedObject('AgentClaim', {
  registrationId: idField('registration', 'Send it back with the code.'),
  expiresAt: instantField.describe('When the code expires.'),
  message: z.string(),
});

export const agentClaimCompletion = namedObject('AgentClaimCompletion', {
  registrationId: idField('registration', 'The id from the claim.'),
  otp: z
    .string()
    .regex(codePattern, 'must be the six digits from the email')
    .describe('The six digits from the email.'),
});

export const agentTokenSchema = namedObject('AgentToken', {
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
export type AgentTokenBody = z.output<typeof agentTokenSchema>;

export const agentCredentialSchema = namedObject('AgentCredential', {
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
export type AgentCredentialBody = z.output<typeof agentCredentialSchema>;

export const agentCredentialListQuery = z.strictObject(pageQuery);
export const agentCredentialListSchema = namedObject('AgentCredentialList', {
  credentials: z.array(agentCredentialSchema),
  nextCursor: nextCursorField,
});

export const eligibleScopesQuery = z.strictObject(pageQuery);
export const eligibleScopesSchema = namedObject('EligibleScopes', {
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
export const protectedResourceSchema = namedObject('ProtectedResource', {
  resource: z.url(),
  resource_name: z.string(),
  scopes_supported: scopesField,
  bearer_methods_supported: z.array(z.literal('header')),
  resource_documentation: z.url(),
});
export type ProtectedResourceBody = z.output<typeof protectedResourceSchema>;
