import { ApplicationFailure } from '@temporalio/common';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { failureTypes } from '../../contract/failures.ts';
import type { Egress } from '../../egress/client.ts';

export type DestinationActivities = ReturnType<typeof createDestinationActivities>;

export function createDestinationActivities({ pool, egress }: { pool: HotPool; egress: Egress }) {
  return {
    /** A name that does not resolve yet is allowed. */
    async checkDestinationAddress({ destinationId }: { destinationId: number }): Promise<'allowed' | 'blocked'> {
      const { rows } = await pool.query<{ url: string; workspaceId: string }>(
        `select d.url, w.public_id as "workspaceId"
         from destinations d join channels c on c.id = d.channel_id join workspaces w on w.id = c.workspace_id
         where d.id = $1`,
        [destinationId],
      );
      const [row] = rows;
      if (!row) {
        const message = `Destination ${destinationId} not found`;
        throw ApplicationFailure.nonRetryable(message, failureTypes.destinationNotFound);
      }
      return (await egress.judge(row.url, row)) === undefined ? 'allowed' : 'blocked';
    },
  };
}
