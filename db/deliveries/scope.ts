/** Requires the alias `c` for a channel. Deliveries of a channel that was moved away stay with the workspace. */
export const wasHereSql = `(c.workspace_id = :workspaceId
    or c.id in (select channel_id from channel_moves where from_workspace_id = :workspaceId))`;

/** The requested channel, or all channels whose deliveries the workspace may read. */
export const channelsOfScopeSql = `
    (c.id = cast(:channelId as bigint) or (cast(:channelId as bigint) is null and ${wasHereSql}))`;
