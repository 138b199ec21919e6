import { z } from 'zod';
import { workspaceRoles } from '../../contract/identity/roles.ts';
import { workspaceKinds } from '../../contract/identity/workspace-kinds.ts';
import { besideOthers } from '../definitions/beside-others.ts';
import {
  idField,
  instantField,
  nameInput,
  nextCursorField,
  pageQuery,
  noControlCharacters,
} from '../definitions/fields.ts';

const externalIdInput = z
  .string()
  .min(1)
  .max(200)
  .regex(noControlCharacters, 'must have no control characters')
  .meta({ description: "The organization's own name for a customer, unique among its customers." });

const workspaceFields = {
  id: idField('workspace', 'The workspace or customer.'),
  organizationId: idField('organization', 'Its organization.'),
  name: z.string(),
  kind: z.enum(workspaceKinds),
  externalId: z.string().nullable().meta({ description: "The organization's own name for a customer." }),
  createdAt: instantField,
};

export const workspaceSchema = z.strictObject(workspaceFields).meta({ id: 'Workspace' });
export type WorkspaceBody = z.output<typeof workspaceSchema>;

export const wholeWorkspaceSchema = z
  .strictObject({
    ...workspaceFields,
    memberCount: z
      .int()
      .min(0)
      .meta({ description: "Its own members; the organization's admins need not be among them." }),
    channelCount: z.int().min(0).meta({ description: 'Its connected channels.' }),
    role: z.enum(workspaceRoles).meta({ description: 'What the caller is in it.' }),
  })
  .meta({ id: 'WholeWorkspace' });
export type WholeWorkspaceBody = z.output<typeof wholeWorkspaceSchema>;

export const workspaceInput = z
  .strictObject({ name: nameInput, kind: z.enum(workspaceKinds), externalId: externalIdInput.optional() })
  .refine(({ kind, externalId }) => externalId === undefined || kind !== 'team', {
    path: ['externalId'],
    message: 'only customers have one',
    ...besideOthers,
  })
  .meta({ id: 'WorkspaceInput' });

export const workspacePatch = z
  .strictObject({
    name: nameInput.optional(),
    externalId: externalIdInput.nullable().optional().meta({ description: 'Null takes it away.' }),
  })
  .meta({ id: 'WorkspacePatch' });

export const workspaceListQuery = z.strictObject({
  kind: z.enum(workspaceKinds).optional(),
  externalId: externalIdInput.optional().meta({ description: 'Only the customer of this external id.' }),
  ...pageQuery,
});
export const workspaceListSchema = z
  .strictObject({ workspaces: z.array(workspaceSchema), nextCursor: nextCursorField })
  .meta({ id: 'WorkspaceList' });
