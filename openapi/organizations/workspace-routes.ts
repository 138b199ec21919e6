import { defineRoutes } from '../definitions/define-routes.ts';
import { workspaceDeletionQuery, wholeWorkspaceSchema, workspacePatch } from './workspace-schema.ts';
import { byScope } from '../definitions/route-definition.ts';

const path = '/workspaces/{ws}';

export const workspaceRoutes = defineRoutes('Workspaces', {
  getWorkspace: {
    route: `GET ${path}`,
    summary: 'Returns a workspace',
    remarks: 'With its kind and your own id of the customer.',
    access: byScope('workspace.read', { within: 'workspace' }),
    answer: wholeWorkspaceSchema,
  },
  updateWorkspace: {
    route: `PATCH ${path}`,
    summary: 'Renames a workspace',
    description: "Admins of the organization can also change a customer's external id.",
    access: byScope('workspace.manage', { within: 'workspace', role: 'admin' }),
    body: workspacePatch,
    answer: wholeWorkspaceSchema,
    errors: ['EXTERNAL_ID_TAKEN'],
  },
  deleteWorkspace: {
    route: `DELETE ${path}`,
    summary: 'Deletes a workspace',
    description: 'Disconnects its channels and cancels waiting deliveries. The last workspace cannot be deleted.',
    access: byScope('workspace.manage', { within: 'workspace', role: 'organization_admin' }),
    query: workspaceDeletionQuery,
    errors: ['LAST_WORKSPACE'],
  },
});
