/** Requires the alias `c`. Deliveries stay with the workspace when their channel moves. */
export const wasHereSql = `(c.workspace_id = :workspaceId
    or c.id in (select channel_id from channel_moves where from_workspace_id = :workspaceId))`;

export const channelsOfScopeSql = `
    (c.id = cast(:channelId as bigint) or (cast(:channelId as bigint) is null and ${wasHereSql}))`;
