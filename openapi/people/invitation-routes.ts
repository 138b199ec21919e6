import { workflowErrors } from '../definitions/error-groups.ts';
import { listQuery } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import {
  invitationAcceptedSchema,
  invitationAcceptInput,
  invitationInput,
  invitationListSchema,
  invitationPreviewSchema,
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
  previewInvitation: {
    route: 'POST /invitations/preview',
    summary: 'Returns who invites to which organization',
    description: 'For a person with the link who decides whether to accept. It changes nothing.',
    access: byPrincipals(['user'], { within: 'person' }),
    body: invitationAcceptInput,
    answer: invitationPreviewSchema,
    errors: ['INVITATION_NOT_FOUND'],
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
