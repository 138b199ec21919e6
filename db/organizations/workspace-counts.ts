import type { Knex } from 'knex';

export interface WorkspaceCounts {
  readonly memberCount: number;
  /** Connected ones. */
  readonly channelCount: number;
}

export async function countInWorkspace(db: Knex, workspaceId: number): Promise<WorkspaceCounts> {
  const { rows } = await db.raw<{ rows: WorkspaceCounts[] }>(
    `select (select count(*) from workspace_members where workspace_id = :workspaceId) as "memberCount",
       (select count(*) from channels where workspace_id = :workspaceId and disconnected_at is null) as "channelCount"`,
    { workspaceId },
  );
  return rows[0] ?? { memberCount: 0, channelCount: 0 };
}
