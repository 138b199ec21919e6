import { organizationPatch, organizationSchema } from './schema.ts';
import { workspaceInput, workspaceListQuery, workspaceListSchema, workspaceSchema } from './workspace-schema.ts';
import { byScope, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Organizations';
const organizationParameter = { kind: 'organization', notFound: 'ORGANIZATION_NOT_FOUND' } as const;
const reading = byScope('workspace.read', { within: 'organization' });

export const organizationRoutes = {
  getOrganization: {
    operationId: 'getOrganization',
    summary: "Returns the credential's organization",
    tag,
    method: 'get',
    path: '/organizations/{org}',
    parameters: { org: organizationParameter },
    access: reading,
    success: { status: 200, body: organizationSchema },
    errors: [],
  },
  updateOrganization: {
    operationId: 'updateOrganization',
    summary: 'Renames an organization',
    tag,
    method: 'patch',
    path: '/organizations/{org}',
    parameters: { org: organizationParameter },
    // No agent: customers and invited people read the name and trust it.
    access: { auth: 'credential', principals: ['user', 'api_key'], scope: null, within: 'organization', role: 'admin' },
    body: organizationPatch,
    success: { status: 200, body: organizationSchema },
    errors: [],
  },
  listWorkspaces: {
    operationId: 'listWorkspaces',
    summary:
      'Lists the workspaces of an organization, newest first; `kind=customer` lists its customers, `externalId` finds one',
    tag,
    method: 'get',
    path: '/organizations/{org}/workspaces',
    parameters: { org: organizationParameter },
    access: reading,
    query: workspaceListQuery,
    success: { status: 200, body: workspaceListSchema },
    errors: [],
  },
  createWorkspace: {
    operationId: 'createWorkspace',
    summary: 'Creates a workspace, for a team or for a customer',
    tag,
    method: 'post',
    path: '/organizations/{org}/workspaces',
    parameters: { org: organizationParameter },
    access: byScope('workspace.manage', { within: 'organization', role: 'admin' }),
    body: workspaceInput,
    success: { status: 201, body: workspaceSchema },
    errors: ['EXTERNAL_ID_TAKEN', 'LIMIT_REACHED'],
  },
} as const satisfies Record<string, RouteDefinition>;
