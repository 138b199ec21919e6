import type { Knex } from 'knex';
import { raw } from 'objection';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { type ChannelAct, disconnectWithin } from '../channels/channels.ts';
import { type EndedDeliveries, endVoidWorkflows } from '../ledger/end-void-deliveries.ts';
import { insertErasure } from '../erasures/erasures.ts';
import { ChannelModel } from '../models/channel.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { lockOrganization } from './organizations.ts';

export type WorkspaceDeletion =
  ({ readonly outcome: 'deleted' } & EndedDeliveries) | { readonly outcome: 'last' } | { readonly outcome: 'gone' };

export interface DeleteWorkspace {
  readonly id: number;
  readonly publicId: string;
  readonly organizationId: number;
  readonly audit: AuditContext;
  /** Optional. Begins an erasure of its events, too. Default: false. */
  readonly erases?: boolean;
}

/** Also disconnects the channels. The organization's lock prevents concurrent deletions of its last two workspaces. */
export async function deleteWorkspace(db: Knex, workspace: DeleteWorkspace): Promise<WorkspaceDeletion> {
  const { id, publicId, organizationId, audit } = workspace;
  const deletion = await db.transaction(async (trx) => {
    await lockOrganization(trx, organizationId);
    const live = await WorkspaceModel.query(trx)
      .select('id')
      .where({ organization_id: organizationId })
      .whereNull('deleted_at');
    if (!live.some((other) => other.id === id)) return { outcome: 'gone' } as const;
    if (live.length === 1) return { outcome: 'last' } as const;
    // Waits for a channel that is being connected here, so that it is disconnected too.
    await WorkspaceModel.query(trx).select('id').findById(id).forUpdate();
    const channels = await disconnectAll(trx, workspace);
    await WorkspaceModel.query(trx)
      .findById(id)
      .patch({ deletedAt: raw('now()') });
    await recordAudit(trx, { ...audit, action: 'workspace.deleted', targetId: publicId });
    if (workspace.erases) await beginErasure(trx, workspace);
    return { outcome: 'deleted', channels } as const;
  });
  if (deletion.outcome !== 'deleted') return deletion;
  const retrying: number[] = [];
  for (const { id: channelId } of deletion.channels)
    retrying.push(...(await endVoidWorkflows(db, { channelId })).retrying);
  return { outcome: 'deleted', retrying };
}

async function beginErasure(trx: Knex, { id, organizationId, audit }: DeleteWorkspace): Promise<void> {
  const scope = { kind: 'workspace', eventId: null, sender: null, workspaceId: id, channelId: null } as const;
  const reason = 'workspace deleted';
  const targetId = await insertErasure(trx, { ...scope, organizationId, reason });
  await recordAudit(trx, { ...audit, action: 'erasure.created', targetId, reason });
}

async function disconnectAll(trx: Knex, { id, audit }: DeleteWorkspace): Promise<readonly ChannelAct[]> {
  const channels = await ChannelModel.query(trx)
    .select('id', 'public_id')
    .where({ workspace_id: id })
    .whereNull('disconnected_at')
    .orderBy('id');
  const acts = channels.map((channel) => ({ ...channel, audit }));
  for (const act of acts) await disconnectWithin(trx, act);
  return acts;
}
