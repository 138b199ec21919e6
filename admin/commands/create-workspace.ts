import type { Knex } from 'knex';
import { workspaceKinds } from '../../contract/identity/workspace-kinds.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { isDuplicateOf } from '../../db/core/duplicates.ts';
import {
  EXTERNAL_ID_INDEX,
  insertWorkspace,
  type NewWorkspace,
  type Workspace,
} from '../../db/organizations/workspaces.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { oneOf, organizationOption, readOptions, UsageError } from './options.ts';

export async function createWorkspace({ db }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['organization', 'name'], optional: ['kind', 'external-id'] });
  const kind = oneOf('kind', workspaceKinds, options.kind ?? 'team');
  const externalId = options['external-id'];
  if (externalId !== undefined && kind !== 'customer') throw new UsageError('--external-id requires --kind customer.');
  const organization = await organizationOption(db, options.organization);
  const workspace = await insertAudited(db, {
    organizationId: organization.id,
    name: options.name,
    kind,
    ...(externalId !== undefined && { externalId }),
  });
  return { workspaceId: workspace.publicId, kind: workspace.kind, name: workspace.name };
}

async function insertAudited(db: Knex, workspace: NewWorkspace): Promise<Workspace> {
  try {
    return await db.transaction(async (trx) => {
      const created = await insertWorkspace(trx, workspace);
      const audit = operatorAudit(workspace.organizationId, created.id);
      await recordAudit(trx, { ...audit, action: 'workspace.created', targetId: created.publicId });
      return created;
    });
  } catch (error) {
    if (!isDuplicateOf(error, EXTERNAL_ID_INDEX)) throw error;
    throw new UsageError('Another customer of the organization has this --external-id. Use a different one.', {
      cause: error,
    });
  }
}
