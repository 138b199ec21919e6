import { defineRoutes } from '../definitions/define-routes.ts';
import {
  keyRevocationInput,
  keyRevocationSchema,
  memberKeyListSchema,
  revealedRotationInput,
  revealedRotationListSchema,
  revealListQuery,
  revealListSchema,
} from './schema.ts';
import { byPrincipals, byScope, notAgents } from '../definitions/route-definition.ts';

const managingMembers = byPrincipals(notAgents, { within: 'organization', role: 'admin' });

export const revealRoutes = {
  ...defineRoutes('Agents', {
    listCredentialReveals: {
      route: 'GET /agent/credentials/{ac}/reveals',
      summary: 'Lists the secrets that an agent has read, newest first',
      description: 'Includes revoked credentials.',
      access: byScope('credentials.manage', { within: 'person' }),
      query: revealListQuery,
      answer: revealListSchema,
    },
    rotateCredentialReveals: {
      route: 'POST /agent/credentials/{ac}/rotate-revealed',
      summary: 'Rotates the secrets that an agent has read',
      description: "Rotates current secrets and revokes the agent's own channel tokens.",
      access: byPrincipals(notAgents, { within: 'person' }),
      share: 'interactive',
      body: revealedRotationInput,
      isForPeople: true,
      answer: revealedRotationListSchema,
    },
  }),
  ...defineRoutes('Members', {
    listMemberReveals: {
      route: 'GET /organizations/{org}/members/{usr}/reveals',
      summary: 'Lists the secrets that a person, their keys and their agents have read',
      description: 'Includes people who have left.',
      access: managingMembers,
      query: revealListQuery,
      answer: revealListSchema,
    },
    rotateMemberReveals: {
      route: 'POST /organizations/{org}/members/{usr}/rotate-revealed',
      summary: 'Rotates the current secrets that a person, their keys or their agents have read',
      remarks: 'Do it when a person leaves. Repeat it until `remaining` is 0.',
      access: managingMembers,
      share: 'interactive',
      body: revealedRotationInput,
      isForPeople: true,
      answer: revealedRotationListSchema,
    },
    listMemberKeys: {
      route: 'GET /organizations/{org}/members/{usr}/keys',
      summary: 'Lists the valid API keys that a person created or has seen, newest first',
      description: 'Includes people who have left.',
      access: managingMembers,
      query: revealListQuery,
      answer: memberKeyListSchema,
    },
    revokeMemberKeys: {
      route: 'POST /organizations/{org}/members/{usr}/revoke-keys',
      summary: 'Revokes API keys of a person',
      description: 'Revokes all keys that the person created, or the given ones.',
      access: byPrincipals(['user'], { within: 'organization', role: 'admin' }),
      body: keyRevocationInput,
      answer: keyRevocationSchema,
      errors: ['CREDENTIAL_NOT_FOUND'],
    },
  }),
};
