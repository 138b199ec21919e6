import { z } from 'zod';
import { codePattern } from '../../contract/identity/email-code.ts';
import { organizationRoles } from '../../contract/identity/roles.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { idField, instantField, nextCursorField, pageQuery } from '../definitions/fields.ts';
import { emailField } from './session-schema.ts';

const scopesField = z.array(z.enum(scopes));
const credentialIdField = idField('agentCredential', 'The agent credential.');
const organizationIdField = idField('organization', 'The organization.');

export const agentClaimInput = z
  .strictObject({
    email: emailField.meta({ description: 'The address of the person for whom the agent acts. It receives the code.' }),
    scopes: scopesField.min(1).max(scopes.length).meta({ description: 'The requested scopes.' }),
    organizationId: organizationIdField
      .optional()
      .meta({ description: "One of the person's organizations; the oldest one by default." }),
  })
  .meta({ id: 'AgentClaimInput' });

export const agentClaimSchema = z
  .strictObject({
    registrationId: idField('registration', 'Send it back with the code.'),
    expiresAt: instantField.meta({ description: 'When the code expires.' }),
    message: z.string(),
  })
  .meta({ id: 'AgentClaim' });

export const agentClaimCompletion = z
  .strictObject({
    registrationId: idField('registration', 'The id from the claim.'),
    otp: z
      .string()
      .regex(codePattern, 'must be the six digits from the email')
      .meta({ description: 'The six digits from the email.' }),
  })
  .meta({ id: 'AgentClaimCompletion' });

export const agentTokenSchema = z
  .strictObject({
    accessToken: z
      .string()
      .regex(/^hmok_/)
      .meta({ description: 'An API key with these scopes. It is shown only once.' }),
    tokenType: z.literal('Bearer'),
    scopes: scopesField.meta({ description: "The requested scopes that the person's role allows." }),
    credentialId: credentialIdField,
    organizationPublicId: organizationIdField,
    expiresAt: instantField.nullable(),
  })
  .meta({ id: 'AgentToken' });
export type AgentTokenBody = z.output<typeof agentTokenSchema>;

export const agentCredentialSchema = z
  .strictObject({
    credentialId: credentialIdField,
    organizationPublicId: organizationIdField,
    email: z.string().nullable().meta({
      description: 'The person for whom the agent acts. Null for keys that are limited to scopes or workspaces.',
    }),
    scopes: scopesField,
    createdAt: instantField,
    lastUsedAt: instantField.nullable().meta({ description: 'Accurate to half a minute.' }),
    expiresAt: instantField.nullable(),
  })
  .meta({ id: 'AgentCredential' });
export type AgentCredentialBody = z.output<typeof agentCredentialSchema>;

export const agentCredentialListQuery = z.strictObject(pageQuery);
export const agentCredentialListSchema = z
  .strictObject({ credentials: z.array(agentCredentialSchema), nextCursor: nextCursorField })
  .meta({ id: 'AgentCredentialList' });

export const eligibleScopesQuery = z.strictObject(pageQuery);
export const eligibleScopesSchema = z
  .strictObject({
    organizations: z.array(
      z.strictObject({
        organizationPublicId: organizationIdField,
        role: z.enum(organizationRoles),
        scopes: scopesField,
      }),
    ),
    nextCursor: nextCursorField,
  })
  .meta({ id: 'EligibleScopes' });

/** Protected resource metadata (RFC 9728). */
export const protectedResourceSchema = z
  .strictObject({
    resource: z.url(),
    resource_name: z.string(),
    scopes_supported: scopesField,
    bearer_methods_supported: z.array(z.literal('header')),
    resource_documentation: z.url(),
  })
  .meta({ id: 'ProtectedResource' });
export type ProtectedResourceBody = z.output<typeof protectedResourceSchema>;
