/** Where `c` stands for a channel: deliveries of one that was moved away stay with the workspace. */
export const wasHereSql = `(c.workspace_id = :workspaceId
    or c.id in (select channel_id from channel_moves where from_workspace_id = :workspaceId))`;

/** The channel that was asked for, or all whose deliveries the workspace may have. */
export const channelsOfScopeSql = `
    (c.id = cast(:channelId as bigint) or (cast(:channelId as bigint) is null and ${wasHereSql}))`;
