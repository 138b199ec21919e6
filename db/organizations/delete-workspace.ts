import type { Knex } from 'knex';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { disconnectChannel } from '../channels/channels.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { lockOrganization } from './organizations.ts';
import type { EndedDeliveries } from '../ledger/end-waiting-deliveries.ts';

export type WorkspaceDeletion =
  ({ readonly outcome: 'deleted' } & EndedDeliveries) | { readonly outcome: 'last' } | { readonly outcome: 'gone' };

export interface DeleteWorkspace {
  readonly id: number;
  readonly publicId: string;
  readonly organizationId: number;
  readonly audit: AuditContext;
}

/**
 * Deletes a workspace and disconnects its channels, all or nothing. Deletions in one organization queue at its row, so
 * that two at once can't take the last two workspaces. What has happened in it stays.
 */
export async function deleteWorkspace(db: Knex, workspace: DeleteWorkspace): Promise<WorkspaceDeletion> {
  const { id, publicId, organizationId, audit } = workspace;
  return await ledgerTransaction(db, async (trx) => {
    await lockOrganization(trx, organizationId);
    const live = await trx<{ id: number; organization_id: number; deleted_at: Date | null }>('workspaces')
      .where({ organization_id: organizationId })
      .whereNull('deleted_at')
      .select('id');
    if (!live.some((other) => other.id === id)) return { outcome: 'gone' };
    if (live.length === 1) return { outcome: 'last' };
    // Exclusively: a channel that is being connected here is waited for, and disconnected with the others.
    await trx.raw('select from workspaces where id = ? for update', [id]);
    const retrying = await disconnectAll(trx, workspace);
    await trx('workspaces').where({ id }).update({ deleted_at: trx.fn.now() });
    await recordAudit(trx, { ...audit, action: 'workspace.deleted', targetId: publicId });
    return { outcome: 'deleted', retrying };
  });
}

async function disconnectAll(trx: Knex, { id, audit }: DeleteWorkspace): Promise<readonly number[]> {
  const channels = await trx<{ id: number; public_id: string; workspace_id: number; disconnected_at: Date | null }>(
    'channels',
  )
    .where({ workspace_id: id })
    .whereNull('disconnected_at')
    .orderBy('id')
    .select('id', 'public_id');
  const retrying: number[] = [];
  for (const channel of channels) {
    const ended = await disconnectChannel(trx, { id: channel.id, publicId: channel.public_id, audit });
    retrying.push(...ended.retrying);
  }
  return retrying;
}
