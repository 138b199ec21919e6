import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

export interface ChannelPosition {
  readonly atChannelId: number;
  readonly atId: number;
}

export interface Slice {
  readonly ids: readonly number[];
  /** Where the next slice begins. Undefined: nothing is left. */
  readonly next: ChannelPosition | undefined;
}

/** Keeps one transaction to tens of milliseconds. */
export const SLICE_ROWS = 200;
/** Bounds a slice without matches, for example of a channel that has left the workspace. */
const LOOKED_ROWS = 5_000;

export interface ChannelWalk extends ChannelPosition {
  readonly organizationId: number;
  /** Null for all of the organization. */
  readonly workspaceId: number | null;
  readonly channelId: number | null;
  /** Null for all. */
  readonly conversationKeys: readonly number[] | null;
  /** With microseconds, as text. Later deliveries are not found. */
  readonly createdAt: string;
}

const workspacesSql = `
select id from workspaces where organization_id = :organizationId
  and (cast(:workspaceId as bigint) is null or id = cast(:workspaceId as bigint))`;

/** Includes channels that have left a workspace: their deliveries stay with it. */
const nextChannelSql = `
select min(c.id) as id from channels c
where c.id > :atChannelId and (cast(:channelId as bigint) is null or c.id = cast(:channelId as bigint))
  and (c.workspace_id in (${workspacesSql})
    or c.id in (select channel_id from channel_moves where from_workspace_id in (${workspacesSql})))`;

const lookedSql = `select * from deliveries where channel_id = :atChannelId and id > :atId order by id limit :looked`;

/** Reads no more of the looked rows than it needs. An array keeps their order. */
const matchingSql = `
select d.id, d.event_id from (${lookedSql}) d
where d.workspace_id = any (array(${workspacesSql})) and d.created_at <= cast(:createdAt as timestamptz)
  and (cast(:conversationKeys as bigint[]) is null or d.conversation_key = any (cast(:conversationKeys as bigint[])))
order by d.id limit :limit`;

/** Returns the events of the next matching deliveries, channel by channel. An event may be in two slices. */
export async function walkChannels(db: Knex, walk: ChannelWalk): Promise<Slice> {
  const { organizationId, workspaceId, channelId, conversationKeys, createdAt, atChannelId, atId } = walk;
  const looked = { atChannelId, atId, looked: LOOKED_ROWS };
  const rows = await queryRows<{ id: number; event_id: number }>(db, matchingSql, {
    ...looked,
    organizationId,
    workspaceId,
    createdAt,
    limit: SLICE_ROWS,
    conversationKeys: conversationKeys && [...conversationKeys],
  });
  const ids = [...new Set(rows.map(({ event_id: eventId }) => eventId))];
  if (rows.length === SLICE_ROWS) return { ids, next: { atChannelId, atId: rows.at(-1)!.id } };
  const [last] = await queryRows<{ id: number }>(db, `select id from (${lookedSql}) d order by id offset :before`, {
    ...looked,
    before: LOOKED_ROWS - 1,
  });
  if (last) return { ids, next: { atChannelId, atId: last.id } };
  const place = { organizationId, workspaceId, channelId, atChannelId };
  const [channel] = await queryRows<{ id: number | null }>(db, nextChannelSql, place);
  return { ids, next: channel!.id === null ? undefined : { atChannelId: channel!.id, atId: 0 } };
}
