import type { Knex } from 'knex';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import { WebhookCandidateModel } from '../models/webhook-candidate.ts';

interface CommittedSave {
  readonly requestedByType: AuditActor['type'] | null;
  readonly requestedBy: string | null;
  readonly requestId: string | null;
  readonly clientAddress: string | null;
  readonly channelPublicId: string;
  readonly workspaceId: number;
  readonly organizationId: number;
}

/** Without a requester, the service is the actor. */
export async function auditCommit(trx: Knex, candidateId: number): Promise<void> {
  const save = await WebhookCandidateModel.query(trx)
    .joinRelated('channel.workspace')
    .select('webhook_candidates.requested_by_type', 'webhook_candidates.requested_by')
    .select('webhook_candidates.request_id', 'webhook_candidates.client_address')
    .select('channel.public_id as channel_public_id', 'channel.workspace_id', 'channel:workspace.organization_id')
    .findOne({ 'webhook_candidates.id': candidateId })
    .castTo<CommittedSave | undefined>();
  if (!save) throw new Error(`Webhook candidate ${candidateId} does not exist`);
  await recordAudit(trx, {
    organizationId: save.organizationId,
    workspaceId: save.workspaceId,
    actor: { type: save.requestedByType ?? 'system', id: save.requestedBy ?? 'webhook-save' },
    action: 'webhook.set',
    targetId: save.channelPublicId,
    requestId: save.requestId,
    clientAddress: save.clientAddress,
  });
}
