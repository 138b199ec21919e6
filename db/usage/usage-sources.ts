export type UsageSource = 'events' | 'deliveries' | 'attempts' | 'outbound_calls';

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
  /** The newest number. */
  readonly boundSql: string;
  /**
   * Returns `to` and `channelId`: where a slice after `:from` and the channel `:channelId` with about `:limit` rows ends,
   * at `:end` at the latest. If `channelId` is not 0, the slice ends with that channel and the number stays.
   */
  readonly endSql: string;
  /** The counts of the rows above `:from` up to `:to`, or of the channels above `:channelId` up to `:toChannelId`. */
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
), cast(:end as bigint)) as "to", 0 as "channelId"`;

const inSlice = (number: string): string => `${number} > cast(:from as bigint) and ${number} <= cast(:to as bigint)`;

const countRows = (table: 'events' | 'deliveries'): string => `
select ${dayOf('created_at')}, workspace_id, channel_id, count(*) as ${table}
from ${table} where ${inSlice('id')} group by 1, 2, 3`;

/** Bounds the index probes of a slice if few channels have changed. */
const MOST_CHANNELS = 5_000;
const isChangedIn = (channel: string): string =>
  `channel_id = ${channel}.id and xid > cast(cast(cast(:from as bigint) as text) as xid8)`;

const attemptXid = 'cast(cast(a.xid as text) as bigint)';

/** By the path, as all callers send and publish. What the platform makes of a forwarded call is not known. */
const isSend = `(c.path like '%messages' and coalesce(c.operation, '') not in ('markMessageRead', 'showTyping'))`;
const isReel = `coalesce(c.operation, '') = 'publishPageappReel'`;
const isOtherPublish = `(c.operation in ('publishContainer', 'publishPageappPost')
  or (c.operation is null and c.path ~ '/(media_publish|feed|photos|videos|video_reels|photo_stories|video_stories)$'))`;
const isAccepted = (call: string): string => `${call}.method = 'POST' and ${call}.status between 200 and 299`;

/**
 * A reel is three calls of one request: start, upload and finish. The finish follows the upload. Clients choose the id of
 * their requests, so that it does not tell one reel from the next.
 */
const isFinishedReel = `${isReel} and c.path like '%/video_reels' and coalesce(c.path_before, (
  select p.path from outbound_calls p
  where p.request_id = c.request_id and p.channel_id = c.channel_id and p.id < c.id
    and p.operation = c.operation and ${isAccepted('p')}
  order by p.id desc limit 1
)) not like '%/video_reels'`;

/** The counts of sends and publishes among the calls `c` of a slice. */
export const countCallsSql = (callsSql: string): string => `
select ${dayOf('c.started_at')}, c.workspace_id, c.channel_id, count(*) filter (where ${isSend}) as sends,
  count(*) filter (where ${isOtherPublish} or (${isFinishedReel})) as publishes
from (
  select c.id, c.started_at, c.workspace_id, c.channel_id, c.operation, c.path, c.request_id,
    lag(c.path) over (partition by c.channel_id, c.request_id, c.operation order by c.id) as path_before
  from (${callsSql}) c
  where c.channel_id is not null and ${isAccepted('c')} and (${isSend} or ${isOtherPublish} or ${isReel})
) c
group by 1, 2, 3`;

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
   * the deliveries that changed since. A delivery may change again while attempts are counted, but it stays in its
   * channel. So a slice has all changes of some channels, which are read once however many there are.
   */
  attempts: {
    boundSql: 'select cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as bigint) - 1',
    endSql: `
select case when last.id is null then cast(:end as bigint) else cast(:from as bigint) end as "to",
  coalesce(last.id, 0) as "channelId"
from (
  select max(id) as id from (
    select id, sum(changed) over (order by id) - changed as changed_before
    from (select id from channels where id > :channelId order by id limit ${MOST_CHANNELS}) c
    cross join lateral (
      select count(*) as changed from (select 1 from deliveries where ${isChangedIn('c')} limit :limit) d
    ) d
  ) c where changed_before < :limit
) last`,
    countSql: `
select ${dayOf('a.started_at')}, d.workspace_id, d.channel_id, count(*) as attempts
from (select id from channels where id > :channelId and id <= :toChannelId) c
cross join lateral (select id, workspace_id, channel_id from deliveries where ${isChangedIn('c')} offset 0) d
join attempts a on a.delivery_id = d.id
where ${attemptXid} > cast(:from as bigint) and ${attemptXid} <= cast(:end as bigint)
group by 1, 2, 3`,
  },
  outbound_calls: {
    boundSql: lastOf('outbound_calls_id_seq'),
    endSql: endByNumber('outbound_calls', 'id'),
    countSql: countCallsSql(`select * from outbound_calls where ${inSlice('id')}`),
  },
};
