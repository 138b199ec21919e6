import type { FailedDelivery } from '../../contract/deliveries/workflow.ts';
import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { msSql } from './destinations/delivery-sql.ts';
import { presentIdSql } from './destinations/kept-urls.ts';

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
select d.id, d.event_type as "eventType", d.attempt_count as "attemptsMade", d.failed_in_schedule as "failedInSchedule",
  ${msSql('d.next_attempt_at')} as "nextAttemptAtMs", c.public_id as "channelId", w.public_id as "workspaceId",
  coalesce(s.public_id, dest.type) as destination, dest.options -> 'retrySteps' as "retrySteps",
  (select e.trace_parent from events e where e.id = d.event_id) as "traceParent"
from deliveries d
join channels c on c.id = d.channel_id
join workspaces w on w.id = d.workspace_id
join destinations dest on dest.id = d.destination_id
left join subscriptions s on s.destination_id = ${presentIdSql('dest')}
where d.status = 'retrying' and not d.pump_retries`;

interface FailedRow extends Omit<TracedDelivery, 'deliveryId' | 'scheduleMs'> {
  readonly id: number;
  readonly retrySteps: readonly number[] | null;
}

function toFailedDelivery({ id, retrySteps, ...delivery }: FailedRow, idKey: IdKey): TracedDelivery {
  return {
    ...delivery,
    deliveryId: sequencedId(idKey, 'delivery', id),
    ...(retrySteps && { scheduleMs: retrySteps.map((seconds) => seconds * 1_000) }),
  };
}
