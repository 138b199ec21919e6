import { listQuery } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import {
  memberListSchema,
  memberRoleInput,
  memberSchema,
  workspaceMemberListSchema,
  workspaceMemberRoleInput,
  workspaceMemberSchema,
} from './member-schema.ts';
import { byPrincipals, byScope, notAgents } from '../definitions/route-definition.ts';

const managingMembers = byPrincipals(notAgents, { within: 'organization', role: 'admin' });
const managingWorkspace = byScope('workspace.manage', { within: 'workspace', role: 'admin' });

export const memberRoutes = defineRoutes('Members', {
  listOrganizationMembers: {
    route: 'GET /organizations/{org}/members',
    summary: 'Lists the members of an organization, newest first',
    remarks: 'With their roles.',
    access: managingMembers,
    query: listQuery,
    answer: memberListSchema,
  },
  changeOrganizationMember: {
    route: 'PATCH /organizations/{org}/members/{usr}',
    summary: "Changes a member's role",
    description: 'The last admin must stay an admin.',
    access: managingMembers,
    body: memberRoleInput,
    answer: memberSchema,
    errors: ['LAST_ADMIN'],
  },
  removeOrganizationMember: {
    route: 'DELETE /organizations/{org}/members/{usr}',
    summary: 'Removes a person from an organization',
    description: "Removes the person from all its workspaces and revokes their agents' keys.",
    access: managingMembers,
    errors: ['LAST_ADMIN'],
  },
  listWorkspaceMembers: {
    route: 'GET /workspaces/{ws}/members',
    summary: 'Lists the members of a workspace, newest first',
    remarks: 'Admins of the organization have access without being members.',
    access: byScope('workspace.read', { within: 'workspace' }),
    query: listQuery,
    answer: workspaceMemberListSchema,
  },
  putWorkspaceMember: {
    route: 'PUT /workspaces/{ws}/members/{usr}',
    summary: 'Adds an organization member to a workspace or changes their role',
    remarks: 'The person must be a member of the organization.',
    access: managingWorkspace,
    body: workspaceMemberRoleInput,
    answer: workspaceMemberSchema,
  },
  removeWorkspaceMember: {
    route: 'DELETE /workspaces/{ws}/members/{usr}',
    summary: 'Removes a person from a workspace',
    description: 'The person stays in the organization.',
    access: managingWorkspace,
  },
});
