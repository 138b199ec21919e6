import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import {
  invitationAcceptedSchema,
  invitationAcceptInput,
  invitationInput,
  invitationListQuery,
  invitationListSchema,
  invitationSchema,
} from './member-schema.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';

const managing = byPrincipals(notAgents, { within: 'organization', role: 'admin' });

export const invitationRoutes = defineRoutes('Members', {
  createInvitation: {
    route: 'POST /organizations/{org}/invitations',
    summary:
      'Invites a person by e-mail, to the organization and perhaps to one of its workspaces; good for seven days',
    access: managing,
    body: invitationInput,
    status: 201,
    answer: invitationSchema,
    errors: ['WORKSPACE_NOT_FOUND', 'LIMIT_REACHED', ...workflowErrors],
  },
  listInvitations: {
    route: 'GET /organizations/{org}/invitations',
    summary: 'Lists the invitations of an organization, newest first',
    access: managing,
    query: invitationListQuery,
    answer: invitationListSchema,
  },
  revokeInvitation: {
    route: 'DELETE /organizations/{org}/invitations/{inv}',
    summary: 'Takes an open invitation back',
    access: managing,
  },
  acceptInvitation: {
    route: 'POST /invitations/accept',
    summary: 'Accepts an invitation, once, as the person whom it was sent to; who is a member already keeps their role',
    access: byPrincipals(['user'], { within: 'person' }),
    body: invitationAcceptInput,
    answer: invitationAcceptedSchema,
    errors: ['INVITATION_NOT_FOUND', 'LIMIT_REACHED'],
  },
});
