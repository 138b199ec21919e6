import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { firstDeliverySince } from './id-ranges.ts';

/** The workspaces of an organization that a caller sees. */
export interface OverviewView {
  readonly organizationId: number;
  /** Null for an admin of the organization. Others see the workspaces of which they are members. */
  readonly viewerId: number | null;
  /** Of a key that is limited to them. Null for all. */
  readonly visibleIds: readonly number[] | null;
  /** Null for all. */
  readonly workspaceId: number | null;
}

export interface OverviewSpan {
  readonly view: OverviewView;
  readonly since: Date;
  readonly until: Date;
  readonly bucketMs: number;
  /** Optional. Start of the first bucket, at or before `since`, which is the default. */
  readonly firstBucketAt?: Date;
  /** Optional. Default: about half a second of database time. */
  readonly maxLooked?: number;
}

export interface OverviewCounts {
  readonly bucket: number;
  readonly deliveryCount: number;
  readonly deliveredCount: number;
  readonly failedCount: number;
  readonly waitingCount: number;
  /** Delivered, exhausted, or waiting for longer than a delivery takes. */
  readonly dueCount: number;
}

export interface OverviewStatistics {
  readonly buckets: readonly OverviewCounts[];
  readonly latencyP50Ms: number | null;
  readonly latencyP95Ms: number | null;
  /** False if the limit excluded deliveries. */
  readonly isComplete: boolean;
}

const MAX_LOOKED = 100_000;
/** The latency is that of a random sample, because each delivery costs a look into its attempts. */
const MAX_TIMED = 5_000;
/** Deliveries on their way are not due yet. */
const DUE_SECONDS = 10;
/** Channels beyond these, the oldest ones, are not counted. */
const MAX_CHANNELS = 2_000;

/** Ids increase with the creation time, so the span is an id range. The limit is divided among the channels. */
export async function readOrganizationStatistics(
  db: Knex,
  { view, since, until, bucketMs, firstBucketAt = since, maxLooked = MAX_LOOKED }: OverviewSpan,
): Promise<OverviewStatistics> {
  const [first, end] = await Promise.all([firstDeliverySince(db, since), firstDeliverySince(db, until)]);
  const rows = await queryRows<Row>(db, statisticsSql, {
    ...view,
    firstBucketAt,
    bucketMs,
    first,
    end,
    maxLooked,
    maxTimed: MAX_TIMED,
    maxChannels: MAX_CHANNELS,
    lastBucket: Math.ceil((until.getTime() - firstBucketAt.getTime()) / bucketMs) - 1,
  });
  const buckets = rows.filter((row): row is Row & OverviewCounts => row.bucket !== null);
  return {
    buckets,
    latencyP50Ms: rows[0]?.latencyP50Ms ?? null,
    latencyP95Ms: rows[0]?.latencyP95Ms ?? null,
    isComplete: rows[0]?.isComplete ?? true,
  };
}

interface Row extends Omit<OverviewCounts, 'bucket'> {
  readonly bucket: number | null;
  readonly latencyP50Ms: number | null;
  readonly latencyP95Ms: number | null;
  readonly isComplete: boolean;
}

/** Workspaces of the view with the alias `w`. */
export const workspacesSql = `
select w.id from workspaces w
where w.organization_id = :organizationId and w.deleted_at is null
  and (cast(:workspaceId as bigint) is null or w.id = cast(:workspaceId as bigint))
  and (cast(:visibleIds as bigint[]) is null or w.id = any (cast(:visibleIds as bigint[])))
  and (cast(:viewerId as bigint) is null or exists (
    select from workspace_members m where m.workspace_id = w.id and m.user_id = cast(:viewerId as bigint)))`;

/** For grouping many rows: it costs less than the number of the bucket, which is computed for the few groups. */
const bucketStartSql = `greatest(cast(:firstBucketAt as timestamptz),
    date_bin(make_interval(secs => cast(:bucketMs as float8) / 1000), created_at, cast(:firstBucketAt as timestamptz)))`;

const sumOf = (condition: string): string => `coalesce(sum(n) filter (where ${condition}), 0)::int`;

const latencyMs = 'extract(epoch from a.started_at - d.created_at)::float8 * 1000 + a.duration_ms';

/**
 * Deliveries that a channel got in another workspace are left out. An id range can include slightly older and younger
 * rows, which count in the first and the last bucket. One row is returned even without deliveries.
 */
const statisticsSql = `
with places as materialized (${workspacesSql}),
seen as materialized (
  select c.id from channels c where c.workspace_id in (select id from places) order by c.id desc limit :maxChannels
),
share as materialized (select greatest(1, :maxLooked / greatest(1, count(*)))::int as rows from seen),
looked as materialized (
  select found.* from seen cross join lateral (
    select x.id, x.channel_id, x.destination_id, x.workspace_id, x.status, x.attempt_count, x.created_at from deliveries x
    where x.channel_id = seen.id and x.id >= :first and x.id < :end
    order by x.id desc
    limit (select rows from share)
  ) found
),
d as materialized (
  select id, attempt_count, created_at, status from looked
  where workspace_id in (select id from places) and destination_id is not null and status <> 'skipped'
),
counted as (
  select ${bucketStartSql} as at, status, created_at < now() - interval '${DUE_SECONDS} seconds' as "isLate", count(*) as n
  from d group by 1, 2, 3
),
placed as (
  select *, least(:lastBucket, round(extract(epoch from at - :firstBucketAt)::float8 * 1000 / :bucketMs))::int as bucket from counted
),
counts as (
  select bucket, sum(n)::int as "deliveryCount",
    ${sumOf(`status = 'delivered'`)} as "deliveredCount",
    ${sumOf(`status = 'exhausted'`)} as "failedCount",
    ${sumOf(`status in ('pending', 'retrying')`)} as "waitingCount",
    ${sumOf(`status in ('delivered', 'exhausted') or status in ('pending', 'retrying') and "isLate"`)} as "dueCount"
  from placed group by bucket
),
timed as materialized (
  select id, attempt_count, created_at from d where status = 'delivered' order by hashint8(id) limit :maxTimed
),
latency as (
  select percentile_cont(0.5) within group (order by ${latencyMs}) as "latencyP50Ms",
    percentile_cont(0.95) within group (order by ${latencyMs}) as "latencyP95Ms"
  from timed d join attempts a on a.delivery_id = d.id and a.number = d.attempt_count and a.outcome = 'accepted'
)
select counts.*, latency.*, (select count(*) from seen) < :maxChannels and not exists (
    select from looked group by channel_id having count(*) >= (select rows from share)) as "isComplete"
from latency left join counts on true`;
