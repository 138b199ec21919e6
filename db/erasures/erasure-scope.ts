import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import type { ErasureScope } from './erasures.ts';
import { findPersonIds, personEventsSql } from './person-scope.ts';

export interface NamedPlace {
  readonly organizationId: number;
  readonly eventId?: number | undefined;
  /** Public ids. */
  readonly workspace?: string | undefined;
  readonly channel?: string | undefined;
}

export interface FoundPlace {
  readonly eventId: number | null;
  readonly workspaceId: number | null;
  readonly channelId: number | null;
}

/** Returns null for what the organization does not have. Includes deleted workspaces and disconnected channels. */
export async function findErasurePlace(
  db: Knex,
  { organizationId, eventId, workspace, channel }: NamedPlace,
): Promise<FoundPlace> {
  const [place] = await queryRows<FoundPlace>(
    db,
    `select (select e.id from events e join workspaces w on w.id = e.workspace_id
        where e.id = cast(:eventId as bigint) and w.organization_id = :organizationId) as "eventId",
      (select id from workspaces where public_id = cast(:workspace as text) and organization_id = :organizationId)
        as "workspaceId",
      (select c.id from channels c join workspaces w on w.id = c.workspace_id
        where c.public_id = cast(:channel as text) and w.organization_id = :organizationId) as "channelId"`,
    { organizationId, eventId: eventId ?? null, workspace: workspace ?? null, channel: channel ?? null },
  );
  return place!;
}

/** Counting more would take seconds. */
const MAX_COUNTED = 100_000;

/** Counts the events that have not been erased yet, up to a limit. */
export async function countErasable(db: Knex, scope: ErasureScope): Promise<number> {
  const { kind, organizationId, eventId, sender, workspaceId, channelId } = scope;
  const bindings = { eventId, limit: MAX_COUNTED };
  if (kind === 'event') return await countOf(db, eventSql, bindings);
  if (kind === 'sender') {
    const place = { organizationId, workspaceId, channelId, createdAt: 'infinity' };
    const personIds = await findPersonIds(db, { ...place, sender: sender! });
    return await countOf(db, `select e.id from events e where ${personEventsSql}`, {
      ...place,
      personIds: [...personIds],
      limit: MAX_COUNTED,
    });
  }
  const [found] = await queryRows<{ count: number }>(db, workspaceSql, { workspaceId, limit: MAX_COUNTED });
  return found!.count;
}

async function countOf(
  db: Knex,
  sql: string,
  bindings: Record<string, string | number | readonly string[] | null>,
): Promise<number> {
  const [found] = await queryRows<{ count: number }>(
    db,
    `select count(*)::int as count from (${sql} limit :limit) matched`,
    bindings,
  );
  return found!.count;
}

const eventSql = 'select id from events where id = :eventId and erased_at is null';

/**
 * Looks at the newest deliveries only, which are erased last, and at the oldest of a channel that has left. So an erased
 * workspace costs no more than another.
 */
const workspaceSql = `
select count(distinct e.id)::int as count from (
  select d.event_id from channels c cross join lateral (
    select event_id, workspace_id from deliveries where channel_id = c.id order by id desc limit :limit
  ) d where c.workspace_id = :workspaceId and d.workspace_id = :workspaceId
  union all
  (select d.event_id from channels c cross join lateral (
    select event_id, workspace_id from deliveries where channel_id = c.id order by id limit :limit
  ) d
  where c.workspace_id <> :workspaceId and d.workspace_id = :workspaceId
    and c.id in (select channel_id from channel_moves where from_workspace_id = :workspaceId))
  limit :limit
) looked join events e on e.id = looked.event_id and e.erased_at is null`;
