export type UsageSource = 'events' | 'deliveries' | 'attempts' | 'earlier_attempts' | 'outbound_calls';

/** Absent counts are 0. */
export interface CountedUsage {
  readonly day: string;
  readonly workspace_id: number;
  readonly channel_id: number;
  readonly events?: number;
  readonly deliveries?: number;
  readonly attempts?: number;
  readonly sends?: number;
  readonly publishes?: number;
}

interface SourceSql {
  /** Optional. The newest number. Omit if the bound never moves. */
  readonly boundSql?: string;
  /** Where a slice after `:from` with about `:limit` rows ends, at `:end` at the latest. */
  readonly endSql: string;
  /** The counts of the rows above `:from` up to `:to`. */
  readonly countSql: string;
}

/** Dates as text: a date would be converted to the time zone of the process. */
const dayOf = (column: string): string => `cast(cast(${column} at time zone 'UTC' as date) as text) as day`;

const endByNumber = (table: string, number: string): string => `
select coalesce((
  select max(${number}) from (
    select ${number} from ${table} where ${number} > cast(:from as bigint) and ${number} <= cast(:end as bigint)
    order by ${number} limit :limit
  ) slice having count(*) >= :limit
), cast(:end as bigint)) as "to"`;

const inSlice = (number: string): string => `${number} > cast(:from as bigint) and ${number} <= cast(:to as bigint)`;

const countRows = (table: 'events' | 'deliveries'): string => `
select ${dayOf('created_at')}, workspace_id, channel_id, count(*) as ${table}
from ${table} where ${inSlice('id')} group by 1, 2, 3`;

const attemptXid = 'cast(cast(a.xid as text) as bigint)';
const attemptColumns = `${dayOf('a.started_at')}, d.workspace_id, d.channel_id, count(*) as attempts`;

/** By the path, as all callers send and publish. What the platform makes of a forwarded call is not known. */
const isSend = `(c.path like '%messages' and coalesce(c.operation, '') not in ('markMessageRead', 'showTyping'))`;
/** A post with several photos is several calls of one request. */
const isPublish = `(c.operation in ('publishContainer', 'publishPageappPost', 'publishPageappReel')
  or (c.operation is null and c.path ~ '/(media_publish|feed|photos|videos|video_reels|photo_stories|video_stories)$'))`;

/** A sequence that was set has not given its last value yet. */
const lastOf = (sequence: string): string =>
  `select last_value - case when is_called then 0 else 1 end from ${sequence}`;

export const usageSources: Readonly<Record<UsageSource, SourceSql>> = {
  events: {
    boundSql: lastOf('events_id_seq'),
    endSql: endByNumber('events', 'id'),
    countSql: countRows('events'),
  },
  deliveries: {
    boundSql: lastOf('deliveries_id_seq'),
    endSql: endByNumber('deliveries', 'id'),
    countSql: countRows('deliveries'),
  },
  /**
   * Attempts have no index by time. Each attempt renews the transaction id of its delivery, whose index by channel finds
   * the deliveries that changed since.
   */
  attempts: {
    boundSql: 'select cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as bigint) - 1',
    endSql: 'select least(cast(:from as bigint) + :limit * 100, cast(:end as bigint)) as "to"',
    countSql: `
select ${attemptColumns}
from channels c
cross join lateral (
  select id, workspace_id, channel_id from deliveries
  where channel_id = c.id and xid > cast(cast(cast(:from as bigint) as text) as xid8)
  offset 0
) d
join attempts a on a.delivery_id = d.id
where ${inSlice(attemptXid)}
group by 1, 2, 3`,
  },
  earlier_attempts: {
    endSql: endByNumber('deliveries', 'id'),
    countSql: `
select ${attemptColumns}
from deliveries d join attempts a on a.delivery_id = d.id
where ${inSlice('d.id')} and a.xid is null
group by 1, 2, 3`,
  },
  outbound_calls: {
    boundSql: lastOf('outbound_calls_id_seq'),
    endSql: endByNumber('outbound_calls', 'id'),
    countSql: `
select ${dayOf('c.started_at')}, c.workspace_id, c.channel_id,
  count(*) filter (where ${isSend}) as sends, count(distinct c.request_id) filter (where ${isPublish}) as publishes
from outbound_calls c
where ${inSlice('c.id')} and c.channel_id is not null and c.method = 'POST' and c.status between 200 and 299
  and (${isSend} or ${isPublish})
group by 1, 2, 3`,
  },
};
