import { z } from 'zod';
import { workspaceRoles } from '../../contract/identity/roles.ts';
import { workspaceKinds } from '../../contract/identity/workspace-kinds.ts';
import {
  evenIfFieldsFail,
  idField,
  instantField,
  namedObject,
  namedPage,
  nameInput,
  noControlCharacters,
  pageQuery,
} from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';

const externalIdInput = z
  .string()
  .min(1)
  .max(200)
  .regex(noControlCharacters, 'must have no control characters')
  .describe("The organization's id for a customer, unique among its customers.");

const workspaceFields = {
  id: idField('workspace', 'The workspace.'),
  organizationId: idField('organization', 'The organization.'),
  name: z.string(),
  kind: z.enum(workspaceKinds),
  externalId: z.string().nullable().describe("The organization's id for a customer."),
  createdAt: instantField,
};

export const workspaceSchema = namedObject('Workspace', workspaceFields);
const wholeWorkspaceSchema = namedObject('WholeWorkspace', {
  ...workspaceFields,
  memberCount: z
    .int()
    .min(0)
    .describe("Members of the workspace, without the organization's admins unless they are members."),
  channelCount: z.int().min(0).describe('Connected channels.'),
  role: z.enum(workspaceRoles).describe("The caller's role in the workspace."),
});
export const workspaceInput = z
  .strictObject({ name: nameInput, kind: z.enum(workspaceKinds), externalId: externalIdInput.optional() })
  .refine(({ kind, externalId }) => externalId === undefined || kind !== 'team', {
    path: ['externalId'],
    message: 'allowed only for the kind customer',
    ...evenIfFieldsFail,
  })
  .meta({
    id: 'WorkspaceInput',
    not: { required: ['externalId'], properties: { kind: { const: 'team' }, externalId: {} } },
  });

const workspacePatch = namedObject('WorkspacePatch', {
  name: nameInput.optional(),
  externalId: externalIdInput.nullable().optional().describe('Null removes it.'),
});

export const workspaceListQuery = z.strictObject({
  kind: z.enum(workspaceKinds).optional(),
  externalId: externalIdInput.optional().describe('Filters by external id.'),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(noControlCharacters, 'must have no control characters')
    .optional()
    .meta({ description: 'Filters by a part of the name or of the external id, in any case.', examples: ['bakery'] }),
  ...pageQuery,
});
export const workspaceListSchema = namedPage('WorkspaceList', { workspaces: workspaceSchema });

const workspaceDeletionQuery = z.strictObject({
  erase: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether the data of its events is erased, too; `false` by default. It cannot be undone.'),
});

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
