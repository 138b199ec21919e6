import { z } from 'zod';
import { idField, instantField, nextCursorField, pageQuery } from './fields.ts';

export const organizationSchema = z
  .strictObject({ id: idField('organization', 'The organization.'), name: z.string(), createdAt: instantField })
  .meta({ id: 'Organization' });
export type OrganizationBody = z.output<typeof organizationSchema>;

export const workspaceKinds = ['team', 'customer'] as const;
export type WorkspaceKind = (typeof workspaceKinds)[number];

export const workspaceSchema = z
  .strictObject({
    id: idField('workspace', 'The workspace or customer.'),
    organizationId: idField('organization', 'Its organization.'),
    name: z.string(),
    kind: z.enum(workspaceKinds),
    externalId: z.string().nullable().meta({ description: "The organization's own name for a customer." }),
    createdAt: instantField,
  })
  .meta({ id: 'Workspace' });
export type WorkspaceBody = z.output<typeof workspaceSchema>;

export const workspaceListQuery = z.strictObject({ kind: z.enum(workspaceKinds).optional(), ...pageQuery });
export const workspaceListSchema = z
  .strictObject({ workspaces: z.array(workspaceSchema), nextCursor: nextCursorField })
  .meta({ id: 'WorkspaceList' });
