import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

export interface WorkspaceCounts {
  readonly memberCount: number;
  readonly channelCount: number;
}

export async function countInWorkspace(db: Knex, workspaceId: number): Promise<WorkspaceCounts> {
  const [counts] = await queryRows<WorkspaceCounts>(
    db,
    `select (select count(*) from workspace_members where workspace_id = :workspaceId) as "memberCount",
       (select count(*) from channels where workspace_id = :workspaceId and disconnected_at is null) as "channelCount"`,
    { workspaceId },
  );
  return counts!;
}
