import { workflowErrors } from '../definitions/error-groups.ts';
import { listQuery } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import {
  invitationAcceptedSchema,
  invitationAcceptInput,
  invitationInput,
  invitationListSchema,
  invitationSchema,
} from './member-schema.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';

const managing = byPrincipals(notAgents, { within: 'organization', role: 'admin' });

export const invitationRoutes = defineRoutes('Members', {
  createInvitation: {
    route: 'POST /organizations/{org}/invitations',
    summary: 'Invites a person to the organization, and optionally to a workspace',
    description: 'The invitation is sent by email and expires after seven days.',
    access: managing,
    body: invitationInput,
    status: 201,
    answer: invitationSchema,
    errors: ['WORKSPACE_NOT_FOUND', 'LIMIT_REACHED', ...workflowErrors],
  },
  listInvitations: {
    route: 'GET /organizations/{org}/invitations',
    summary: 'Lists the invitations of an organization, newest first',
    remarks: 'Includes those that are accepted, revoked or expired.',
    access: managing,
    query: listQuery,
    answer: invitationListSchema,
  },
  revokeInvitation: {
    route: 'DELETE /organizations/{org}/invitations/{inv}',
    summary: 'Revokes an open invitation',
    remarks: 'Its link stops working.',
    access: managing,
  },
  acceptInvitation: {
    route: 'POST /invitations/accept',
    summary: 'Accepts an invitation',
    description: 'Only the invited person can accept it, once. Existing members keep their role.',
    access: byPrincipals(['user'], { within: 'person' }),
    body: invitationAcceptInput,
    answer: invitationAcceptedSchema,
    errors: ['INVITATION_NOT_FOUND', 'LIMIT_REACHED'],
  },
});
