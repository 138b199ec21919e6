import type { FailedDelivery } from '../../contract/deliveries/workflow.ts';
import type { EventType } from '../../contract/event-types.ts';
import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { presentIdSql } from './destinations/kept-urls.ts';

interface FailedRow {
  id: number;
  event_type: EventType;
  attempt_count: number;
  failed_in_schedule: number;
  next_attempt_at: Date;
  channel_id: string;
  workspace_id: string;
  destination: string;
  retry_steps: readonly number[] | null;
  trace_parent: string | null;
}

/** A delivery for a workflow, and the trace that the workflow continues. */
export interface TracedDelivery extends FailedDelivery {
  /** Optional. Null if the event is not sampled. */
  readonly traceParent?: string | null;
}

export async function findFailedDeliveries(
  pool: HotPool,
  idKey: IdKey,
  ids: readonly number[],
): Promise<TracedDelivery[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<FailedRow>(`${failedSql} and d.id = any ($1::bigint[])`, [ids]);
  return rows.map((row) => toFailedDelivery(row, idKey));
}

/** Returns at most `limit` of each shard. Excludes open circuits, which delay deliveries by design. */
export async function findOverdue(
  pool: HotPool,
  idKey: IdKey,
  { shards, overdueMs, limit }: { shards: readonly number[]; overdueMs: number; limit: number },
): Promise<TracedDelivery[]> {
  const { rows } = await pool.query<FailedRow>({
    name: 'find-overdue',
    text: `select overdue.* from unnest($1::int[]) as swept (shard) cross join lateral (
             ${failedSql} and d.shard = swept.shard and dest.circuit = 'closed'
               and d.next_attempt_at < now() - $2 * interval '1 millisecond'
             order by d.next_attempt_at limit $3
           ) overdue`,
    values: [shards, overdueMs, limit],
  });
  return rows.map((row) => toFailedDelivery(row, idKey));
}

const failedSql = `
select d.id, d.event_type, d.attempt_count, d.failed_in_schedule, d.next_attempt_at,
  c.public_id as channel_id, w.public_id as workspace_id, coalesce(s.public_id, dest.type) as destination, dest.options -> 'retrySteps' as retry_steps,
  (select e.trace_parent from events e where e.id = d.event_id) as trace_parent
from deliveries d
join channels c on c.id = d.channel_id
join workspaces w on w.id = d.workspace_id
join destinations dest on dest.id = d.destination_id
left join subscriptions s on s.destination_id = ${presentIdSql('dest')}
where d.status = 'retrying' and not d.pump_retries`;

function toFailedDelivery(row: FailedRow, idKey: IdKey): TracedDelivery {
  return {
    deliveryId: sequencedId(idKey, 'delivery', row.id),
    channelId: row.channel_id,
    workspaceId: row.workspace_id,
    destination: row.destination,
    eventType: row.event_type,
    attemptsMade: row.attempt_count,
    failedInSchedule: row.failed_in_schedule,
    nextAttemptAtMs: row.next_attempt_at.getTime(),
    ...(row.retry_steps && { scheduleMs: row.retry_steps.map((seconds) => seconds * 1_000) }),
    traceParent: row.trace_parent,
  };
}
