import {
  invitationAcceptedSchema,
  invitationAcceptInput,
  invitationInput,
  invitationListQuery,
  invitationListSchema,
  invitationSchema,
} from './member-schema.ts';
import type { RouteDefinition } from '../definitions/route-definition.ts';
import { overPeople } from './member-routes.ts';

const tag = 'Members';
const org = { kind: 'organization', notFound: 'ORGANIZATION_NOT_FOUND' } as const;

export const invitationRoutes = {
  createInvitation: {
    operationId: 'createInvitation',
    summary:
      'Invites a person by e-mail, to the organization and perhaps to one of its workspaces; good for seven days',
    tag,
    method: 'post',
    path: '/organizations/{org}/invitations',
    parameters: { org },
    access: overPeople,
    body: invitationInput,
    success: { status: 201, body: invitationSchema },
    errors: ['WORKSPACE_NOT_FOUND', 'LIMIT_REACHED', 'WORKFLOW_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN'],
  },
  listInvitations: {
    operationId: 'listInvitations',
    summary: 'Lists the invitations of an organization, newest first',
    tag,
    method: 'get',
    path: '/organizations/{org}/invitations',
    parameters: { org },
    access: overPeople,
    query: invitationListQuery,
    success: { status: 200, body: invitationListSchema },
    errors: [],
  },
  revokeInvitation: {
    operationId: 'revokeInvitation',
    summary: 'Takes an open invitation back',
    tag,
    method: 'delete',
    path: '/organizations/{org}/invitations/{inv}',
    parameters: { org, inv: { kind: 'invitation', notFound: 'INVITATION_NOT_FOUND' } },
    access: overPeople,
    success: { status: 204, body: null },
    errors: [],
  },
  acceptInvitation: {
    operationId: 'acceptInvitation',
    summary: 'Accepts an invitation, once, as the person whom it was sent to; who is a member already keeps their role',
    tag,
    method: 'post',
    path: '/invitations/accept',
    parameters: {},
    access: { auth: 'credential', principals: ['user'], scope: null, within: 'person', role: 'member' },
    body: invitationAcceptInput,
    success: { status: 200, body: invitationAcceptedSchema },
    errors: ['INVITATION_NOT_FOUND', 'LIMIT_REACHED'],
  },
} as const satisfies Record<string, RouteDefinition>;
