import {
  keyRevocationInput,
  keyRevocationSchema,
  memberKeyListSchema,
  revealedRotationInput,
  revealedRotationListSchema,
  revealListQuery,
  revealListSchema,
} from './schema.ts';
import { byScope, type RouteDefinition } from '../definitions/route-definition.ts';
import { overPeople } from '../people/member-routes.ts';

const org = { kind: 'organization', notFound: 'ORGANIZATION_NOT_FOUND' } as const;
const usr = { kind: 'user', notFound: 'MEMBER_NOT_FOUND' } as const;
const ac = { kind: 'agentCredential', notFound: 'CREDENTIAL_NOT_FOUND' } as const;
/** Secrets are rotated for others here, in whichever workspace: no scope gives that to an agent. */
const notForAgents = {
  auth: 'credential',
  principals: ['user', 'api_key'],
  scope: null,
  within: 'person',
  role: 'member',
} as const;

/** What agents and people have read, also after they were removed, and what to do about it. */
export const revealRoutes = {
  listCredentialReveals: {
    operationId: 'listCredentialReveals',
    summary: 'Lists the secrets that an agent has read, also after its credential was revoked; newest first',
    tag: 'Agents',
    method: 'get',
    path: '/agent/credentials/{ac}/reveals',
    parameters: { ac },
    access: byScope('credentials.manage', { within: 'person' }),
    query: revealListQuery,
    success: { status: 200, body: revealListSchema },
    errors: [],
  },
  rotateCredentialReveals: {
    operationId: 'rotateCredentialReveals',
    summary: 'Rotates the present secrets that an agent has read, and ends its own channel tokens',
    tag: 'Agents',
    method: 'post',
    path: '/agent/credentials/{ac}/rotate-revealed',
    parameters: { ac },
    access: notForAgents,
    body: revealedRotationInput,
    isForPeople: true,
    success: { status: 200, body: revealedRotationListSchema },
    errors: [],
  },
  listMemberReveals: {
    operationId: 'listMemberReveals',
    summary:
      'Lists the secrets that a person, their keys and their agents have read, also after they left; newest first',
    tag: 'Members',
    method: 'get',
    path: '/organizations/{org}/members/{usr}/reveals',
    parameters: { org, usr },
    access: overPeople,
    query: revealListQuery,
    success: { status: 200, body: revealListSchema },
    errors: [],
  },
  rotateMemberReveals: {
    operationId: 'rotateMemberReveals',
    summary: 'Rotates the present secrets that a person, their keys and their agents have read',
    tag: 'Members',
    method: 'post',
    path: '/organizations/{org}/members/{usr}/rotate-revealed',
    parameters: { org, usr },
    access: overPeople,
    body: revealedRotationInput,
    isForPeople: true,
    success: { status: 200, body: revealedRotationListSchema },
    errors: [],
  },
  listMemberKeys: {
    operationId: 'listMemberKeys',
    summary: 'Lists the valid API keys that a person made or was shown, also after they left; newest first',
    tag: 'Members',
    method: 'get',
    path: '/organizations/{org}/members/{usr}/keys',
    parameters: { org, usr },
    access: overPeople,
    query: revealListQuery,
    success: { status: 200, body: memberKeyListSchema },
    errors: [],
  },
  revokeMemberKeys: {
    operationId: 'revokeMemberKeys',
    summary: 'Revokes API keys that a person made, all of them or those that are named',
    tag: 'Members',
    method: 'post',
    path: '/organizations/{org}/members/{usr}/revoke-keys',
    parameters: { org, usr },
    access: { ...overPeople, principals: ['user'] },
    body: keyRevocationInput,
    success: { status: 200, body: keyRevocationSchema },
    errors: ['CREDENTIAL_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
