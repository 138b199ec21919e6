import type { Knex } from 'knex';
import type { RolloutOutcome, RolloutReason } from '../../contract/webhooks/rollout.ts';
import { queryRows } from '../core/query-rows.ts';

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

export interface ResultPage {
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
