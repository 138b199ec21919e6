import {
  memberListQuery,
  memberListSchema,
  memberRoleInput,
  memberSchema,
  workspaceMemberListSchema,
  workspaceMemberRoleInput,
  workspaceMemberSchema,
} from './member-schema.ts';
import { byScope, type GuardedAccess, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Members';
const org = { kind: 'organization', notFound: 'ORGANIZATION_NOT_FOUND' } as const;
const ws = { kind: 'workspace', notFound: 'WORKSPACE_NOT_FOUND' } as const;
const usr = { kind: 'user', notFound: 'MEMBER_NOT_FOUND' } as const;
/** No scope gives an agent a say in who belongs to an organization. */
export const overPeople = {
  auth: 'credential',
  principals: ['user', 'api_key'],
  scope: null,
  within: 'organization',
  role: 'admin',
} as const satisfies GuardedAccess;
const managing = byScope('workspace.manage', { within: 'workspace', role: 'admin' });

export const memberRoutes = {
  listOrganizationMembers: {
    operationId: 'listOrganizationMembers',
    summary: 'Lists the members of an organization, newest first',
    tag,
    method: 'get',
    path: '/organizations/{org}/members',
    parameters: { org },
    access: overPeople,
    query: memberListQuery,
    success: { status: 200, body: memberListSchema },
    errors: [],
  },
  changeOrganizationMember: {
    operationId: 'changeOrganizationMember',
    summary: "Changes a member's role; the last admin stays one",
    tag,
    method: 'patch',
    path: '/organizations/{org}/members/{usr}',
    parameters: { org, usr },
    access: overPeople,
    body: memberRoleInput,
    success: { status: 200, body: memberSchema },
    errors: ['LAST_ADMIN'],
  },
  removeOrganizationMember: {
    operationId: 'removeOrganizationMember',
    summary: "Removes a person from the organization and its workspaces; their agents' keys end at once",
    tag,
    method: 'delete',
    path: '/organizations/{org}/members/{usr}',
    parameters: { org, usr },
    access: overPeople,
    success: { status: 204, body: null },
    errors: ['LAST_ADMIN'],
  },
  listWorkspaceMembers: {
    operationId: 'listWorkspaceMembers',
    summary: 'Lists the members of a workspace, newest first',
    tag,
    method: 'get',
    path: '/workspaces/{ws}/members',
    parameters: { ws },
    access: byScope('workspace.read', { within: 'workspace' }),
    query: memberListQuery,
    success: { status: 200, body: workspaceMemberListSchema },
    errors: [],
  },
  putWorkspaceMember: {
    operationId: 'putWorkspaceMember',
    summary: 'Makes a member of the organization one of the workspace, or changes their role there',
    tag,
    method: 'put',
    path: '/workspaces/{ws}/members/{usr}',
    parameters: { ws, usr },
    access: managing,
    body: workspaceMemberRoleInput,
    success: { status: 200, body: workspaceMemberSchema },
    errors: [],
  },
  removeWorkspaceMember: {
    operationId: 'removeWorkspaceMember',
    summary: 'Removes a person from the workspace; they stay in the organization',
    tag,
    method: 'delete',
    path: '/workspaces/{ws}/members/{usr}',
    parameters: { ws, usr },
    access: managing,
    success: { status: 204, body: null },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
