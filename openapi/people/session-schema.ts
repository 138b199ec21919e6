import { z } from 'zod';
import { codePattern } from '../../contract/identity/email-code.ts';
import { tenantPrincipals } from '../definitions/route-definition.ts';
import { organizationRoles } from '../../contract/identity/roles.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { idField, instantField, namedObject } from '../definitions/fields.ts';

/** The SMTP limit (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;

export const emailField = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_LENGTH)
  .pipe(z.email())
  .describe('An email address.');

export const signInInput = z.strictObject({ email: emailField });
export const signInSchema = namedObject('SignIn', {
  registrationId: idField('registration', 'Send it with the code.'),
  expiresAt: instantField.describe('When the code expires.'),
  message: z.string(),
});

export const signInCompletion = z.strictObject({
  registrationId: idField('registration', 'The id from the sign-in.'),
  otp: z
    .string()
    .regex(codePattern, 'must be the six digits from the email')
    .describe('The six digits from the email.'),
});

const userIdField = idField('user', 'The person.');
const organizationsField = z.array(
  z.strictObject({
    organizationId: idField('organization', 'An organization of the caller.'),
    name: z.string(),
    role: z.enum(organizationRoles),
  }),
);
const tokenFields = {
  accessToken: z.string().describe('A JWT for the Authorization header.'),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().describe('Seconds until the access token expires.'),
  refreshToken: z.string().describe('Valid for one refresh. Using it again ends the session.'),
};

export const startedSessionSchema = namedObject('StartedSession', {
  user: z.strictObject({ id: userIdField, email: z.string() }),
  organizations: organizationsField,
  ...tokenFields,
});

export const refreshInput = z.strictObject({ refreshToken: z.string().min(1).max(200) });
export const refreshedSessionSchema = namedObject('RefreshedSession', tokenFields);

export const currentSessionSchema = namedObject('CurrentSession', {
  user: z.strictObject({
    id: userIdField,
    email: z.string().nullable().describe('Null for API keys that are limited to scopes or workspaces.'),
  }),
  organizations: organizationsField,
  credential: z.strictObject({
    kind: z.enum(tenantPrincipals).describe("A person's session, an API key, or an agent's key."),
    id: z.string().describe('`key_…`, `ac_…`, or for a session `usr_…`.'),
    scopes: z.array(z.enum(scopes)).nullable().describe('Null if not limited to scopes.'),
    workspaceIds: z
      .array(idField('workspace', 'A workspace that the key can reach.'))
      .nullable()
      .describe('Null if not limited to workspaces.'),
  }),
});
