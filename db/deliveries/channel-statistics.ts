import type { Knex } from 'knex';
import type { DestinationType } from '../../contract/deliveries/status.ts';
import { firstDeliverySince } from './id-ranges.ts';
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

/** Ids increase with the creation time, so the span is an id range. Latency ends with the accepted attempt. */
export async function readChannelStatistics(db: Knex, span: StatisticsSpan): Promise<ChannelStatistics> {
  const [first, end] = await Promise.all([firstDeliverySince(db, span.since), firstDeliverySince(db, span.until)]);
  const { maxLooked = MAX_LOOKED } = span;
  const { rows } = await db.raw<{ rows: (BucketCounts & { lookedCount: number })[] }>(statisticsSql, {
    channelId: span.channelId,
    workspaceId: span.workspaceId,
    since: span.since,
    bucketMs: span.bucketMs,
    first,
    end,
    maxLooked,
  });
  // One row is returned even without buckets.
  const buckets = rows.filter(({ destinationId }) => destinationId !== null);
  return { buckets, isComplete: (rows[0]?.lookedCount ?? 0) < maxLooked };
}

const latencyMs = 'extract(epoch from a.started_at - d.created_at)::float8 * 1000 + a.duration_ms';

/** An id range can include slightly older rows; they count in the first bucket. */
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
  select dest.id as "destinationId", dest.type, dest.url, dest.label, s.public_id as "subscriptionPublicId",
    dest.deleted_at is not null as "isDeleted",
    greatest(0, floor(extract(epoch from d.created_at - :since)::float8 * 1000 / :bucketMs))::int as bucket,
    count(*)::int as "deliveryCount",
    (count(*) filter (where d.status = 'delivered'))::int as "deliveredCount",
    (count(*) filter (where d.status = 'exhausted'))::int as "failedCount",
    (count(*) filter (where d.status in ('pending', 'retrying')))::int as "waitingCount",
    sum(d.attempt_count - (a.delivery_id is not null)::int)::int as "failedAttemptCount",
    percentile_cont(0.5) within group (order by ${latencyMs}) as "latencyP50Ms",
    percentile_cont(0.95) within group (order by ${latencyMs}) as "latencyP95Ms"
  from d
  join destinations dest on dest.id = d.destination_id
  left join subscriptions s on s.destination_id = ${presentIdSql('dest')}
  left join attempts a on a.delivery_id = d.id and a.number = d.attempt_count and a.outcome = 'accepted'
  group by dest.id, s.public_id, bucket
)
select (select count(*)::int from looked) as "lookedCount", counts.*
from (values (0)) one left join counts on true
order by counts.type <> 'webhook', counts."destinationId", counts.bucket`;
