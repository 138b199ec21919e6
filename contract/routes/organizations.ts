import { organizationSchema, workspaceListQuery, workspaceListSchema } from '../schemas/organization.ts';
import { byScope, type RouteDefinition } from './definition.ts';

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
  listWorkspaces: {
    operationId: 'listWorkspaces',
    summary: 'Lists the workspaces of an organization, newest first; `kind=customer` lists its customers',
    tag,
    method: 'get',
    path: '/organizations/{org}/workspaces',
    parameters: { org: organizationParameter },
    access: reading,
    query: workspaceListQuery,
    success: { status: 200, body: workspaceListSchema },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
