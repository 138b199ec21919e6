import { wholeWorkspaceSchema, workspacePatch } from './workspace-schema.ts';
import { byScope, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Workspaces';
const path = '/workspaces/{ws}';
const parameters = { ws: { kind: 'workspace', notFound: 'WORKSPACE_NOT_FOUND' } } as const;

export const workspaceRoutes = {
  getWorkspace: {
    operationId: 'getWorkspace',
    summary: 'Returns one workspace',
    tag,
    method: 'get',
    path,
    parameters,
    access: byScope('workspace.read', { within: 'workspace' }),
    success: { status: 200, body: wholeWorkspaceSchema },
    errors: [],
  },
  updateWorkspace: {
    operationId: 'updateWorkspace',
    summary: "Renames a workspace; the organization's admins may also change a customer's external id",
    tag,
    method: 'patch',
    path,
    parameters,
    access: byScope('workspace.manage', { within: 'workspace', role: 'admin' }),
    body: workspacePatch,
    success: { status: 200, body: wholeWorkspaceSchema },
    errors: ['EXTERNAL_ID_TAKEN'],
  },
  deleteWorkspace: {
    operationId: 'deleteWorkspace',
    summary:
      "Deletes a workspace and disconnects its channels; deliveries that wait are cancelled. An organization's last one stays",
    tag,
    method: 'delete',
    path,
    parameters,
    access: byScope('workspace.manage', { within: 'workspace', role: 'organization_admin' }),
    success: { status: 204, body: null },
    errors: ['LAST_WORKSPACE'],
  },
} as const satisfies Record<string, RouteDefinition>;
