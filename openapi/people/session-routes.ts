import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import {
  currentSessionSchema,
  refreshedSessionSchema,
  refreshInput,
  signInCompletion,
  signInInput,
  signInSchema,
  startedSessionSchema,
} from './session-schema.ts';
import { byPrincipals, openAccess, tenantPrincipals } from '../definitions/route-definition.ts';

const inSession = byPrincipals(['user'], { within: 'person' });

export const sessionRoutes = defineRoutes('Sessions', {
  signIn: {
    route: 'POST /auth/sign-in',
    summary: 'Sends a code of six digits to the address; the answer is the same whether or not it is known',
    access: openAccess,
    body: signInInput,
    status: 202,
    answer: signInSchema,
    errors: workflowErrors,
  },
  completeSignIn: {
    route: 'POST /auth/sign-in/complete',
    summary: 'Takes the code and begins a session: a cookie for browsers, tokens for others',
    access: openAccess,
    body: signInCompletion,
    answer: startedSessionSchema,
    errors: ['OTP_INVALID', 'OTP_EXPIRED', 'OTP_LOCKED', 'LIMIT_REACHED'],
  },
  refreshSession: {
    route: 'POST /auth/refresh',
    summary: 'Gives a new access token and a new refresh token for the one shown',
    access: openAccess,
    body: refreshInput,
    answer: refreshedSessionSchema,
    errors: ['AUTH_REQUIRED'],
  },
  getSession: {
    route: 'GET /auth/session',
    summary: 'Says who calls, by what kind of credential, and in which organizations',
    access: byPrincipals(tenantPrincipals, { within: 'person' }),
    answer: currentSessionSchema,
  },
  signOut: {
    route: 'POST /auth/sign-out',
    summary: 'Ends the session',
    access: inSession,
  },
  signOutEverywhere: {
    route: 'POST /auth/sign-out-everywhere',
    summary: 'Ends every session of the person, at once',
    access: inSession,
  },
});
