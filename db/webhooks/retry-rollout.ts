import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { planDefaultOfChannel } from './rollouts.ts';

/**
 * Plans another rollout for the new channel of a rollout that failed, once its retry is due. Returns false if none is
 * due. Repeating it plans none twice.
 */
export async function retryRollout(db: Knex, publicId: string): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const [due] = await queryRows<DueChannel>(
      trx,
      `update webhook_rollouts r set retry_at = null from channels c
       where c.id = r.channel_id and r.public_id = :publicId and r.retry_at <= now()
       returning c.disconnected_at is null as "isConnected", c.id as "channelId", c.workspace_id as "workspaceId",
         r.retry_count + 1 as "retryCount"`,
      { publicId },
    );
    if (!due?.isConnected) return false;
    // The new rollout skips a channel that has a webhook by now.
    await planDefaultOfChannel(trx, due);
    return true;
  });
}

interface DueChannel {
  readonly isConnected: boolean;
  readonly channelId: number;
  readonly workspaceId: number;
  readonly retryCount: number;
}
