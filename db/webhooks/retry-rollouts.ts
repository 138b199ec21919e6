import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { planDefaultOfChannel } from './rollouts.ts';

const MAX_RETRIES = 100;

/** Plans another rollout for each new channel whose last one failed and is due. Repeating it plans none twice. */
export async function retryRollouts(db: Knex): Promise<number> {
  return await db.transaction(async (trx) => {
    const due = await queryRows<DueChannel>(
      trx,
      `update webhook_rollouts r set retry_at = null from channels c
       where c.id = r.channel_id and r.id in (select id from webhook_rollouts where retry_at <= now()
         order by retry_at limit :limit for update skip locked)
       returning c.disconnected_at is null as "isConnected", c.id as "channelId", c.workspace_id as "workspaceId",
         r.retry_count + 1 as "retryCount"`,
      { limit: MAX_RETRIES },
    );
    const connected = due.filter(({ isConnected }) => isConnected);
    // The new rollout skips a channel that has a webhook by now.
    for (const channel of connected) await planDefaultOfChannel(trx, channel);
    return connected.length;
  });
}

interface DueChannel {
  readonly isConnected: boolean;
  readonly channelId: number;
  readonly workspaceId: number;
  readonly retryCount: number;
}
