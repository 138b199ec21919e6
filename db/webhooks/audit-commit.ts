import type { Knex } from 'knex';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';

interface RequesterRow {
  requested_by_type: AuditActor['type'] | null;
  requested_by: string | null;
  request_id: string | null;
  client_address: string | null;
  public_id: string;
  workspace_id: number;
  organization_id: number;
}

/** Notes that a candidate has become the webhook, in the requester's name; a save that was staged before requesters were kept stands in the service's own. */
export async function auditCommit(trx: Knex, candidateId: number): Promise<void> {
  const { rows } = await trx.raw<{ rows: RequesterRow[] }>(
    `select w.requested_by_type, w.requested_by, w.request_id, w.client_address, c.public_id, c.workspace_id,
       ws.organization_id
     from webhook_candidates w join channels c on c.id = w.channel_id join workspaces ws on ws.id = c.workspace_id
     where w.id = ?`,
    [candidateId],
  );
  const [row] = rows;
  if (!row) throw new Error(`No webhook candidate ${candidateId}`);
  await recordAudit(trx, {
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    actor: { type: row.requested_by_type ?? 'system', id: row.requested_by ?? 'webhook-save' },
    action: 'webhook.set',
    targetId: row.public_id,
    requestId: row.request_id,
    clientAddress: row.client_address,
  });
}
