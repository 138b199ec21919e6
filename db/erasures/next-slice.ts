import type { Knex } from 'knex';
import type { ErasureStep } from '../../contract/erasures/erasure.ts';
import { queryRows } from '../core/query-rows.ts';
import type { ErasureScope } from './erasures.ts';
import { personEventsSql } from './person-scope.ts';

export interface OpenErasure extends ErasureScope {
  readonly id: number;
  readonly step: ErasureStep;
  readonly atChannelId: number;
  readonly atId: number;
  /** With microseconds, as text. */
  readonly createdAt: string;
}

export interface Slice {
  readonly ids: readonly number[];
  /** Where the next slice begins. Undefined: nothing is left. */
  readonly next: { readonly atChannelId: number; readonly atId: number } | undefined;
}

/** Keeps one transaction to tens of milliseconds. */
export const SLICE_ROWS = 200;

/** Events of one id or sender leave the scope when they are erased. A workspace is walked by its deliveries. */
export async function nextEvents(db: Knex, erasure: OpenErasure): Promise<Slice> {
  switch (erasure.kind) {
    case 'event':
      return erasure.atId > 0
        ? { ids: [], next: undefined }
        : { ids: [erasure.eventId!], next: { atChannelId: 0, atId: erasure.eventId! } };
    case 'sender':
      return await nextOfSender(db, erasure);
    case 'workspace':
      return await nextOfWorkspace(db, erasure);
  }
}

/** Unordered: in order, the planner would read the whole table by id instead of the index of senders. */
async function nextOfSender(db: Knex, erasure: OpenErasure): Promise<Slice> {
  const { sender, createdAt, organizationId, workspaceId, channelId, atId } = erasure;
  const rows = await queryRows<{ id: number }>(db, `select e.id from events e where ${personEventsSql} limit :limit`, {
    sender,
    createdAt,
    organizationId,
    workspaceId,
    channelId,
    limit: SLICE_ROWS,
  });
  const ids = rows.map(({ id }) => id);
  return { ids, next: ids.length === 0 ? undefined : { atChannelId: 0, atId: atId + ids.length } };
}

/** Includes channels that have left the workspace: their events stay with it. `+ 0` hides the share of the workspace. */
const nextChannelSql = `
select min(c.id) as id from channels c where c.id > :atChannelId and (c.workspace_id = :workspaceId
  or c.id in (select channel_id from channel_moves where from_workspace_id = :workspaceId))`;

async function nextOfWorkspace(db: Knex, erasure: OpenErasure): Promise<Slice> {
  const { workspaceId, createdAt, atChannelId, atId } = erasure;
  const rows = await queryRows<{ id: number; event_id: number }>(
    db,
    `select id, event_id from deliveries
     where channel_id = :atChannelId and workspace_id + 0 = :workspaceId and id > :atId and created_at <= cast(:createdAt as timestamptz)
     order by id limit :limit`,
    { workspaceId, createdAt, atChannelId, atId, limit: SLICE_ROWS },
  );
  const ids = [...new Set(rows.map(({ event_id: eventId }) => eventId))];
  if (rows.length === SLICE_ROWS) return { ids, next: { atChannelId, atId: rows.at(-1)!.id } };
  const [channel] = await queryRows<{ id: number | null }>(db, nextChannelSql, { workspaceId, atChannelId });
  const next = channel!.id === null ? undefined : { atChannelId: channel!.id, atId: 0 };
  return { ids, next };
}
