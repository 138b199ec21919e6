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
