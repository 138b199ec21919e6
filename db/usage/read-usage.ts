import type { Knex } from 'knex';
import type { UsageLevel, UsageStep } from '../../contract/upkeep/usage.ts';
import { queryRows } from '../core/query-rows.ts';

export interface UsageQuery {
  readonly organizationId: number;
  /** Optional. Public ids. */
  readonly workspaceId?: string | undefined;
  readonly channelId?: string | undefined;
  /** Days such as `2026-01-31`. The last one is excluded. */
  readonly since: string;
  readonly until: string;
  readonly step: UsageStep;
  readonly level: UsageLevel;
  readonly limit: number;
}

export interface UsageRow {
  /** The day, or the first day of the month. */
  readonly day: string;
  readonly workspaceId: string | null;
  readonly channelId: string | null;
  readonly events: number;
  readonly deliveries: number;
  readonly attempts: number;
  readonly sends: number;
  readonly publishes: number;
}

const placesOf = { organization: [], workspace: ['workspace_id'], channel: ['workspace_id', 'channel_id'] } as const;

/** Reads the primary key's range of the organization, or that of one workspace or channel. Oldest first. */
export async function readUsage(db: Knex, query: UsageQuery): Promise<UsageRow[]> {
  const { level, workspaceId, channelId, ...bindings } = query;
  const places: readonly string[] = placesOf[level];
  const groups = ['step', ...places];
  return await queryRows<UsageRow>(
    db,
    `select cast(n.step as text) as day, w.public_id as "workspaceId", c.public_id as "channelId", n.events, n.deliveries,
       n.attempts, n.sends, n.publishes
     from (
       select ${groups.join(', ')}, ${places.includes('workspace_id') ? '' : 'cast(null as bigint) as workspace_id,'}
         ${places.includes('channel_id') ? '' : 'cast(null as bigint) as channel_id,'}
         cast(sum(events) as bigint) as events, cast(sum(deliveries) as bigint) as deliveries,
         cast(sum(attempts) as bigint) as attempts, cast(sum(sends) as bigint) as sends,
         cast(sum(publishes) as bigint) as publishes
       from (
         select u.*, cast(date_trunc(:step, cast(u.day as timestamp)) as date) as step from usage_days u
         where u.organization_id = :organizationId and u.day >= cast(:since as date) and u.day < cast(:until as date)
           and (cast(:workspaceId as text) is null
             or u.workspace_id = (select id from workspaces where public_id = cast(:workspaceId as text)))
           and (cast(:channelId as text) is null
             or u.channel_id = (select id from channels where public_id = cast(:channelId as text)))
       ) u
       group by ${groups.join(', ')} order by ${groups.join(', ')} limit :limit
     ) n
     left join workspaces w on w.id = n.workspace_id
     left join channels c on c.id = n.channel_id
     order by n.step, n.workspace_id, n.channel_id`,
    { ...bindings, workspaceId: workspaceId ?? null, channelId: channelId ?? null },
  );
}

export interface UsagePlace {
  readonly organizationId: number;
  readonly workspaceId?: string | undefined;
  readonly channelId?: string | undefined;
}

/** Whether the workspace and the channel belong to the organization. Includes deleted ones. */
export async function findUsagePlace(
  db: Knex,
  { organizationId, workspaceId, channelId }: UsagePlace,
): Promise<{ readonly hasWorkspace: boolean; readonly hasChannel: boolean }> {
  const [found] = await queryRows<{ hasWorkspace: boolean; hasChannel: boolean }>(
    db,
    `select cast(:workspaceId as text) is null or exists (
         select from workspaces where public_id = cast(:workspaceId as text) and organization_id = :organizationId
       ) as "hasWorkspace",
       cast(:channelId as text) is null or exists (
         select from channels c join workspaces w on w.id = c.workspace_id
         where c.public_id = cast(:channelId as text) and w.organization_id = :organizationId
       ) as "hasChannel"`,
    { organizationId, workspaceId: workspaceId ?? null, channelId: channelId ?? null },
  );
  return found!;
}

/** Returns the time up to which everything is counted. Null before the first count has ended. */
export async function readCountedUntil(db: Knex): Promise<Date | null> {
  const [counted] = await queryRows<{ until: Date | null }>(
    db,
    `select case when bool_and(counted_until > '-infinity') then min(counted_until) end as until from usage_marks`,
  );
  return counted!.until;
}
