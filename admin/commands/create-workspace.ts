import { workspaceKinds } from '../../contract/schemas/organization.ts';
import { findOrganization } from '../../db/organizations.ts';
import { insertWorkspace } from '../../db/workspaces.ts';
import type { AdminDeps } from '../deps.ts';
import { oneOf, readOptions, UsageError } from '../options.ts';

export async function createWorkspace({ db }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['organization', 'name'], optional: ['kind', 'external-id'] });
  const kind = oneOf('kind', workspaceKinds, options.kind ?? 'team');
  const externalId = options['external-id'];
  if (externalId !== undefined && kind !== 'customer') throw new UsageError('Only customers have an --external-id');
  const organization = await findOrganization(db, options.organization);
  if (!organization) throw new UsageError(`There is no organization ${options.organization}`);
  const workspace = await insertWorkspace(db, {
    organizationId: organization.id,
    name: options.name,
    kind,
    ...(externalId !== undefined && { externalId }),
  });
  return { workspaceId: workspace.publicId, kind: workspace.kind, name: workspace.name };
}
