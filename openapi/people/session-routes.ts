import { z } from 'zod';
import { codePattern } from '../../contract/identity/email-code.ts';
import { byPrincipals, openAccess, tenantPrincipals } from '../definitions/route-definition.ts';
import { organizationRoles } from '../../contract/identity/roles.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { idField, instantField, namedObject } from '../definitions/fields.ts';
import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';

/** The SMTP limit (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;

export const emailField = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_LENGTH)
  .pipe(z.email())
  .describe('An email address.');

const signInInput = z.strictObject({ email: emailField });
const signInSchema = namedObject('SignIn', {
  registrationId: idField('registration', 'Send it with the code.'),
  expiresAt: instantField.describe('When the code expires.'),
  message: z.string(),
});

const signInCompletion = z.strictObject({
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

const startedSessionSchema = namedObject('StartedSession', {
  user: z.strictObject({ id: userIdField, email: z.string() }),
  organizations: organizationsField,
  createdOrganizationId: idField(
    'organization',
    'The organization that this sign-in created, with a name made from the email address; null if it created none.',
  ).nullable(),
  ...tokenFields,
});

const refreshInput = z.strictObject({ refreshToken: z.string().min(1).max(200) });
const refreshedSessionSchema = namedObject('RefreshedSession', tokenFields);

const currentSessionSchema = namedObject('CurrentSession', {
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

const inSession = byPrincipals(['user'], { within: 'person' });

export const sessionRoutes = defineRoutes('Sessions', {
  signIn: {
    route: 'POST /auth/sign-in',
    summary: 'Sends a sign-in code by email',
    description: 'The code has six digits. The response is the same for known and unknown addresses.',
    access: openAccess,
    body: signInInput,
    status: 202,
    answer: signInSchema,
    errors: workflowErrors,
  },
  completeSignIn: {
    route: 'POST /auth/sign-in/complete',
    summary: 'Signs in with a code',
    description: 'Starts a session and returns a cookie for browsers and tokens for other clients.',
    access: openAccess,
    body: signInCompletion,
    answer: startedSessionSchema,
    errors: ['OTP_INVALID', 'OTP_EXPIRED', 'OTP_LOCKED', 'LIMIT_REACHED'],
  },
  refreshSession: {
    route: 'POST /auth/refresh',
    summary: 'Exchanges a refresh token for new tokens',
    remarks: 'Each refresh token works once.',
    access: openAccess,
    body: refreshInput,
    answer: refreshedSessionSchema,
    errors: ['AUTH_REQUIRED'],
  },
  getSession: {
    route: 'GET /auth/session',
    summary: 'Returns the caller with the kind of credential and the organizations',
    remarks: 'Use it to check a credential.',
    access: { ...byPrincipals(tenantPrincipals, { within: 'person' }), admitsLimited: true },
    answer: currentSessionSchema,
  },
  signOut: {
    route: 'POST /auth/sign-out',
    summary: 'Ends the session',
    remarks: 'Its tokens and its cookie stop working.',
    access: inSession,
  },
  signOutEverywhere: {
    route: 'POST /auth/sign-out-everywhere',
    summary: 'Ends all sessions of the person',
    remarks: 'All tokens and cookies of the person stop working. API keys are not sessions.',
    access: inSession,
  },
});
