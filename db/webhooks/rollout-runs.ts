import type { Knex } from 'knex';
import { rolloutRetryWaitsMs, type RolloutStart, type RolloutStatus } from '../../contract/webhooks/rollout.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { queryRows } from '../core/query-rows.ts';

/** Returns the rollouts of a new channel that have not started. */
export async function listRolloutsOfChannel(db: Knex, channelPublicId: string): Promise<RolloutStart[]> {
  return await queryRows<RolloutStart>(
    db,
    `${startSql} join channels c on c.id = r.channel_id
     where c.public_id = :channelPublicId and r.status = 'running' and r.started_at is null`,
    { channelPublicId },
  );
}

const startSql = `
select r.public_id as "rolloutId", w.public_id as "workspaceId" from webhook_rollouts r
left join workspaces w on w.id = r.workspace_id`;

/** Returns undefined if the rollout needs no workflow any longer. */
export async function findRolloutStart(db: Knex, publicId: string): Promise<RolloutStart | undefined> {
  const [start] = await queryRows<RolloutStart>(
    db,
    `${startSql} where r.public_id = :publicId and r.run_ended_at is null`,
    { publicId },
  );
  return start;
}

/** Returns false if the rollout has ended. Channels that are being saved get their result. */
export async function cancelRollout(
  db: Knex,
  { publicId, audit }: { readonly publicId: string; readonly audit: AuditContext },
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    if (!(await endRollout(trx, { publicId, status: 'cancelled' }))) return false;
    await recordAudit(trx, { ...audit, action: 'webhookRollout.cancelled', targetId: publicId });
    return true;
  });
}

/** A new channel whose receiver failed is tried again after a while, a few times. */
export async function endRollout(
  db: Knex,
  { publicId, status }: { readonly publicId: string; readonly status: Exclude<RolloutStatus, 'running'> },
): Promise<boolean> {
  const ended = await queryRows(
    db,
    `with ended as (
     update webhook_rollouts r set status = :status, ended_at = now(), progressed_at = now(),
       total = case :status when 'completed' then applied + unchanged + skipped + failed else total end,
       retry_at = case when :status = 'completed' and failed > 0 and channel_id is not null and not exists (
           select from webhook_rollout_results x where x.rollout_id = r.id and x.reason = 'url_not_allowed')
         then now() + (cast(:waitsMs as bigint[]))[retry_count + 1] * interval '1 millisecond' end
     where public_id = :publicId and status = 'running' returning public_id, retry_at
     ), requested as (
     insert into workflow_starts (type, subject_id, due_at)
     select 'rollOutWebhook', public_id, retry_at from ended where retry_at is not null
     )
     select 1 from ended`,
    { publicId, status, waitsMs: rolloutRetryWaitsMs },
  );
  return ended.length > 0;
}

/** Marks the run of an ended rollout as closed, so that it is not adopted. */
export async function closeRolloutRun(db: Knex, publicId: string): Promise<void> {
  await queryRows(
    db,
    `update webhook_rollouts set run_ended_at = coalesce(run_ended_at, now())
     where public_id = :publicId and status <> 'running'`,
    { publicId },
  );
}

export async function touchRollout(db: Knex, publicId: string): Promise<void> {
  await queryRows(
    db,
    `update webhook_rollouts set started_at = coalesce(started_at, now()), progressed_at = now()
     where public_id = :publicId`,
    { publicId },
  );
}
