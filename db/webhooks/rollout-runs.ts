import type { Knex } from 'knex';
import { raw } from 'objection';
import {
  type RolloutOutcome,
  type RolloutReason,
  rolloutRetryWaitsMs,
  type RolloutStart,
  type RolloutStatus,
} from '../../contract/webhooks/rollout.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { queryRows } from '../core/query-rows.ts';
import { WebhookRolloutModel } from '../models/default-webhook.ts';

function selectStarts(db: Knex) {
  return WebhookRolloutModel.query(db)
    .leftJoinRelated('[workspace, channel]')
    .select('webhook_rollouts.public_id as rollout_id', 'workspace.public_id as workspace_id');
}

/** Returns the rollouts of a new channel that have not started. */
export async function listRolloutsOfChannel(db: Knex, channelPublicId: string): Promise<RolloutStart[]> {
  return await selectStarts(db)
    .where({ 'channel.public_id': channelPublicId, status: 'running', started_at: null })
    .castTo<RolloutStart[]>();
}

/** Returns undefined if the rollout needs no workflow any longer. */
export async function findRolloutStart(db: Knex, publicId: string): Promise<RolloutStart | undefined> {
  return await selectStarts(db)
    .findOne({ 'webhook_rollouts.public_id': publicId, run_ended_at: null })
    .castTo<RolloutStart | undefined>();
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
  await WebhookRolloutModel.query(db)
    .where({ public_id: publicId })
    .whereNot({ status: 'running' })
    .patch({ runEndedAt: raw('coalesce(run_ended_at, now())') });
}

export async function touchRollout(db: Knex, publicId: string): Promise<void> {
  await WebhookRolloutModel.query(db)
    .where({ public_id: publicId })
    .patch({ startedAt: raw('coalesce(started_at, now())'), progressedAt: raw('now()') });
}

export interface RolloutResult {
  readonly id: number;
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  /** Null if the channel has left the workspace of the rollout. */
  readonly displayName: string | null;
  readonly outcome: RolloutOutcome;
  readonly reason: RolloutReason | null;
  readonly detail: string | null;
  readonly createdAt: Date;
}

interface ResultPage {
  readonly rolloutId: number;
  readonly outcome?: RolloutOutcome | undefined;
  /** The number of the last channel on the previous page. */
  readonly after: number | undefined;
  readonly limit: number;
}

/**
 * In the order of the channels, which a running rollout follows. Its results show nothing of another workspace that a
 * channel has moved to, because readers of the rollout may not see that one.
 */
export async function listRolloutResults(db: Knex, page: ResultPage): Promise<RolloutResult[]> {
  const { rolloutId, outcome = null, after = 0, limit } = page;
  return await queryRows<RolloutResult>(
    db,
    `select x.channel_id as id, c.public_id as "channelPublicId", w.public_id as "workspacePublicId",
       case when c.workspace_id = w.id then c.display_name end as "displayName",
       x.outcome, x.reason, x.detail, x.created_at as "createdAt"
     from webhook_rollout_results x join webhook_rollouts r on r.id = x.rollout_id
     join channels c on c.id = x.channel_id join workspaces w on w.id = coalesce(r.workspace_id, c.workspace_id)
     where x.rollout_id = :rolloutId and x.channel_id > :after
       and (cast(:outcome as text) is null or x.outcome = cast(:outcome as text))
     order by x.channel_id limit :limit`,
    { rolloutId, outcome, after, limit },
  );
}

export interface NewResult {
  readonly outcome: RolloutOutcome;
  readonly reason?: RolloutReason;
  readonly detail?: string | null;
}

/** Counts the result in the rollout. A channel has one result; a repeat changes nothing. */
export async function insertRolloutResult(
  db: Knex,
  { rolloutId, channelId, result }: { rolloutId: number; channelId: number; result: NewResult },
): Promise<void> {
  const { outcome, reason = null, detail = null } = result;
  await queryRows(
    db,
    `with added as (
       insert into webhook_rollout_results (rollout_id, channel_id, outcome, reason, detail)
       values (:rolloutId, :channelId, :outcome, :reason, :detail)
       on conflict (rollout_id, channel_id) do nothing returning outcome
     )
     update webhook_rollouts r set progressed_at = now(),
       applied = r.applied + (a.outcome = 'applied')::int, unchanged = r.unchanged + (a.outcome = 'unchanged')::int,
       skipped = r.skipped + (a.outcome = 'skipped')::int, failed = r.failed + (a.outcome = 'failed')::int
     from added a where r.id = :rolloutId`,
    { rolloutId, channelId, outcome, reason, detail: detail?.slice(0, MAX_DETAIL_LENGTH) ?? null },
  );
}

const MAX_DETAIL_LENGTH = 500;
