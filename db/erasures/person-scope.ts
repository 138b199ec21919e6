/** The person of an erasure or an export. Null stands for all workspaces or channels of the organization. */
export interface PersonScope {
  readonly organizationId: number;
  readonly sender: string;
  readonly workspaceId: number | null;
  readonly channelId: number | null;
  /** With microseconds, as text. What came later is not in the scope. */
  readonly createdAt: string;
}

const eventScopeSql = inScopeSql({
  workspaceId: 'e.workspace_id',
  channelId: 'e.channel_id',
  createdAt: 'e.created_at',
});

/** Erased events have no sender. */
export const personEventsSql = `e.sender = :sender and ${eventScopeSql}`;

/** Includes statuses and echoes. Erased events have no conversation. */
export const concernedEventsSql = `(e.sender = :sender or e.conversation_key = :conversationKey) and ${eventScopeSql}`;

/** Requires the outbound call, container or test event `o`. */
export const placedScopeSql = inScopeSql({
  workspaceId: 'o.workspace_id',
  channelId: 'o.channel_id',
  createdAt: 'o.created_at',
});

/** Requires the row `o` and its channel `c`. */
export const heldScopeSql = inScopeSql({ workspaceId: 'c.workspace_id', channelId: 'c.id', createdAt: 'o.created_at' });
export const channelScopeSql = `c.id = o.channel_id and ${heldScopeSql}`;

/** Requires the call `o` and its channel `c`. */
export const idempotentScopeSql = `o.answer is not null and ${channelScopeSql}`;

/** True for texts that contain the person's id as a whole word, so that a longer id does not match. */
export const namesPersonSql = (text: string): string => `${text} ~ cast(:personPattern as text)`;

export function personPattern(sender: string): string {
  const literal = sender.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  return `(^|[^[:alnum:]])${literal}($|[^[:alnum:]])`;
}

function inScopeSql(column: Readonly<Record<'workspaceId' | 'channelId' | 'createdAt', string>>): string {
  return `${column.createdAt} <= cast(:createdAt as timestamptz)
  and ${column.workspaceId} in (select id from workspaces where organization_id = :organizationId)
  and (cast(:workspaceId as bigint) is null or ${column.workspaceId} = cast(:workspaceId as bigint))
  and (cast(:channelId as bigint) is null or ${column.channelId} = cast(:channelId as bigint))`;
}
