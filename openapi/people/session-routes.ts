import {
  currentSessionSchema,
  refreshedSessionSchema,
  refreshInput,
  signInCompletion,
  signInInput,
  signInSchema,
  startedSessionSchema,
} from './session-schema.ts';
import { tenantPrincipals, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Sessions';
const open = { auth: 'none' } as const;
const person = { auth: 'credential', scope: null, within: 'person', role: 'member' } as const;
const inSession = { ...person, principals: ['user'] } as const;

export const sessionRoutes = {
  signIn: {
    operationId: 'signIn',
    summary: 'Sends a code of six digits to the address; the answer is the same whether or not it is known',
    tag,
    method: 'post',
    path: '/auth/sign-in',
    parameters: {},
    access: open,
    body: signInInput,
    success: { status: 202, body: signInSchema },
    errors: ['VALIDATION_ERROR', 'RATE_LIMITED', 'WORKFLOW_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN'],
  },
  completeSignIn: {
    operationId: 'completeSignIn',
    summary: 'Takes the code and begins a session: a cookie for browsers, tokens for others',
    tag,
    method: 'post',
    path: '/auth/sign-in/complete',
    parameters: {},
    access: open,
    body: signInCompletion,
    success: { status: 200, body: startedSessionSchema },
    errors: ['VALIDATION_ERROR', 'OTP_INVALID', 'OTP_EXPIRED', 'OTP_LOCKED', 'RATE_LIMITED', 'LIMIT_REACHED'],
  },
  refreshSession: {
    operationId: 'refreshSession',
    summary: 'Gives a new access token and a new refresh token for the one shown',
    tag,
    method: 'post',
    path: '/auth/refresh',
    parameters: {},
    access: open,
    body: refreshInput,
    success: { status: 200, body: refreshedSessionSchema },
    errors: ['VALIDATION_ERROR', 'AUTH_REQUIRED', 'RATE_LIMITED'],
  },
  getSession: {
    operationId: 'getSession',
    summary: 'Says who calls, by what kind of credential, and in which organizations',
    tag,
    method: 'get',
    path: '/auth/session',
    parameters: {},
    access: { ...person, principals: tenantPrincipals },
    success: { status: 200, body: currentSessionSchema },
    errors: [],
  },
  signOut: {
    operationId: 'signOut',
    summary: 'Ends the session',
    tag,
    method: 'post',
    path: '/auth/sign-out',
    parameters: {},
    access: inSession,
    success: { status: 204, body: null },
    errors: [],
  },
  signOutEverywhere: {
    operationId: 'signOutEverywhere',
    summary: 'Ends every session of the person, at once',
    tag,
    method: 'post',
    path: '/auth/sign-out-everywhere',
    parameters: {},
    access: inSession,
    success: { status: 204, body: null },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
