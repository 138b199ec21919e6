import { z } from 'zod';
import { idField, instantField, namedObject, nameInput } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { workspaceInput, workspaceListQuery, workspaceListSchema, workspaceSchema } from './workspace-routes.ts';
import { byPrincipals, byScope, notAgents } from '../definitions/route-definition.ts';

const organizationSchema = namedObject('Organization', {
  id: idField('organization', 'The organization.'),
  name: z.string(),
  createdAt: instantField,
});
const organizationPatch = namedObject('OrganizationPatch', { name: nameInput });

const reading = { ...byScope('workspace.read', { within: 'organization' }), admitsLimited: true } as const;

export const organizationRoutes = defineRoutes('Organizations', {
  getOrganization: {
    route: 'GET /organizations/{org}',
    summary: 'Returns an organization',
    remarks: 'With its name.',
    access: reading,
    answer: organizationSchema,
  },
  createOrganization: {
    route: 'POST /organizations',
    summary: 'Creates an organization',
    description:
      'You become its admin, and it gets a workspace. For people who have accepted no invitation, and for those who need ' +
      'another organization.',
    access: byPrincipals(['user'], { within: 'person' }),
    body: organizationPatch,
    status: 201,
    answer: organizationSchema,
    errors: ['LIMIT_REACHED'],
  },
  updateOrganization: {
    route: 'PATCH /organizations/{org}',
    summary: 'Renames an organization',
    remarks: 'The name is shown to members and in invitations.',
    // Customers and invited people trust the name they read.
    access: byPrincipals(notAgents, { within: 'organization', role: 'admin' }),
    body: organizationPatch,
    answer: organizationSchema,
  },
  listWorkspaces: {
    route: 'GET /organizations/{org}/workspaces',
    summary: 'Lists the workspaces of an organization, newest first',
    description:
      '`kind=customer` returns customers; `externalId` finds one and `search` those with a part of a name. A key that is limited to workspaces sees only these.',
    access: reading,
    query: workspaceListQuery,
    answer: workspaceListSchema,
  },
  createWorkspace: {
    route: 'POST /organizations/{org}/workspaces',
    summary: 'Creates a workspace',
    description: 'A workspace belongs to a team or to a customer.',
    access: byScope('workspace.manage', { within: 'organization', role: 'admin' }),
    body: workspaceInput,
    status: 201,
    answer: workspaceSchema,
    errors: ['EXTERNAL_ID_TAKEN', 'LIMIT_REACHED'],
  },
});
