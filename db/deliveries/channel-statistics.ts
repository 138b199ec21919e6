import type { Knex } from 'knex';
import type { DestinationType } from '../../contract/deliveries/status.ts';
import { firstDeliverySince, firstEventSince } from './id-ranges.ts';
import { presentIdSql } from '../ledger/destinations/kept-urls.ts';

export interface StatisticsSpan {
  readonly channelId: number;
  /** Excludes deliveries accepted for another workspace. */
  readonly workspaceId: number;
  readonly since: Date;
  readonly until: Date;
  readonly bucketMs: number;
  readonly maxLooked?: number;
}

export interface BucketCounts {
  readonly destinationId: number;
  readonly type: DestinationType;
  readonly url: string | null;
  readonly label: string | null;
  readonly subscriptionPublicId: string | null;
  /** Deleted since the delivery. */
  readonly isDeleted: boolean;
  readonly bucket: number;
  readonly deliveryCount: number;
  readonly deliveredCount: number;
  readonly failedCount: number;
  readonly waitingCount: number;
  readonly failedAttemptCount: number;
  readonly latencyP50Ms: number | null;
  readonly latencyP95Ms: number | null;
}

export interface ChannelStatistics {
  readonly buckets: readonly BucketCounts[];
  /** False if the limit excluded the oldest deliveries. */
  readonly isComplete: boolean;
}

/** About 300 ms of database time. */
const MAX_LOOKED = 100_000;

/**
 * Ids increase with the creation time, so the span is an id range. Latency ends with the accepted attempt. Failed attempts
 * count at their own time, also those of earlier deliveries.
 */
export async function readChannelStatistics(db: Knex, span: StatisticsSpan): Promise<ChannelStatistics> {
  const [first, end, firstEvent] = await Promise.all([
    firstDeliverySince(db, span.since),
    firstDeliverySince(db, span.until),
    firstEventSince(db, span.since),
  ]);
  const { maxLooked = MAX_LOOKED } = span;
  const { rows } = await db.raw<{ rows: (BucketCounts & { lookedCount: number })[] }>(statisticsSql, {
    channelId: span.channelId,
    workspaceId: span.workspaceId,
    since: span.since,
    until: span.until,
    bucketMs: span.bucketMs,
    first,
    end,
    firstEvent,
    maxLooked,
  });
  // One row is returned even without buckets.
  const buckets = rows.filter(({ destinationId }) => destinationId !== null);
  return { buckets, isComplete: (rows[0]?.lookedCount ?? 0) < maxLooked };
}

const bucketSql = (instant: string): string =>
  `greatest(0, floor(extract(epoch from ${instant} - :since)::float8 * 1000 / :bucketMs))::int`;

const latencyMs = 'extract(epoch from a.started_at - d.created_at)::float8 * 1000 + a.duration_ms';

/**
 * An id range can include slightly older rows; they count in the first bucket. Each attempt renews the transaction id of
 * its delivery, so the index of changes finds the earlier deliveries that were attempted since. The last event before the
 * span says which id was current then.
 */
const statisticsSql = `
with looked as materialized (
  select id, destination_id, workspace_id, status, attempt_count, created_at
  from deliveries
  where channel_id = :channelId and id >= :first and id < :end
  order by id desc
  limit :maxLooked
),
d as (
  select * from looked where workspace_id = :workspaceId and destination_id is not null and status <> 'skipped'
),
counts as (
  select d.destination_id, ${bucketSql('d.created_at')} as bucket,
    count(*)::int as "deliveryCount",
    (count(*) filter (where d.status = 'delivered'))::int as "deliveredCount",
    (count(*) filter (where d.status = 'exhausted'))::int as "failedCount",
    (count(*) filter (where d.status in ('pending', 'retrying')))::int as "waitingCount",
    percentile_cont(0.5) within group (order by ${latencyMs}) as "latencyP50Ms",
    percentile_cont(0.95) within group (order by ${latencyMs}) as "latencyP95Ms"
  from d
  left join attempts a on a.delivery_id = d.id and a.number = d.attempt_count and a.outcome = 'accepted'
  group by d.destination_id, bucket
),
earlier as materialized (
  select id, destination_id, workspace_id, status, attempt_count
  from deliveries
  where channel_id = :channelId and id < :first
    and xid >= coalesce((select xid from events where id < :firstEvent order by id desc limit 1), '0'::xid8)
  order by xid desc
  limit :maxLooked
),
tried as (
  select id, destination_id, status, attempt_count from d
  union all
  select id, destination_id, status, attempt_count from earlier
  where workspace_id = :workspaceId and destination_id is not null
),
failures as (
  select tried.destination_id, ${bucketSql('a.started_at')} as bucket, count(*)::int as "failedAttemptCount"
  from tried join attempts a on a.delivery_id = tried.id and a.outcome <> 'accepted'
  where (tried.status <> 'delivered' or tried.attempt_count > 1) and a.started_at >= :since and a.started_at < :until
  group by 1, 2
),
shown as (
  select dest.id as "destinationId", dest.type, dest.url, dest.label, s.public_id as "subscriptionPublicId",
    dest.deleted_at is not null as "isDeleted", bucket,
    coalesce(c."deliveryCount", 0) as "deliveryCount", coalesce(c."deliveredCount", 0) as "deliveredCount",
    coalesce(c."failedCount", 0) as "failedCount", coalesce(c."waitingCount", 0) as "waitingCount",
    coalesce(f."failedAttemptCount", 0) as "failedAttemptCount", c."latencyP50Ms", c."latencyP95Ms"
  from counts c full join failures f using (destination_id, bucket)
  join destinations dest on dest.id = destination_id
  left join subscriptions s on s.destination_id = ${presentIdSql('dest')}
)
select (select count(*)::int from looked) as "lookedCount", shown.*
from (values (0)) one left join shown on true
order by shown.type <> 'webhook', shown."destinationId", shown.bucket`;
