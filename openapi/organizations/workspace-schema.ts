import { z } from 'zod';
import { workspaceRoles } from '../../contract/identity/roles.ts';
import { workspaceKinds } from '../../contract/identity/workspace-kinds.ts';
import { evenIfFieldsFail } from '../definitions/even-if-fields-fail.ts';
import {
  idField,
  instantField,
  namedObject,
  nameInput,
  nextCursorField,
  noControlCharacters,
  pageQuery,
} from '../definitions/fields.ts';

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
export type WorkspaceBody = z.output<typeof workspaceSchema>;

export const wholeWorkspaceSchema = namedObject('WholeWorkspace', {
  ...workspaceFields,
  memberCount: z
    .int()
    .min(0)
    .describe("Members of the workspace, without the organization's admins unless they are members."),
  channelCount: z.int().min(0).describe('Connected channels.'),
  role: z.enum(workspaceRoles).describe("The caller's role in the workspace."),
});
export type WholeWorkspaceBody = z.output<typeof wholeWorkspaceSchema>;

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

export const workspacePatch = namedObject('WorkspacePatch', {
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
export const workspaceListSchema = namedObject('WorkspaceList', {
  workspaces: z.array(workspaceSchema),
  nextCursor: nextCursorField,
});

export const workspaceDeletionQuery = z.strictObject({
  erase: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether the data of its events is erased, too; `false` by default. It cannot be undone.'),
});
