import type { Knex } from 'knex';
import type { OverdueReason } from '../../contract/destinations/overdue.ts';
import { MAX_KEPT_SHOWN } from '../../contract/destinations/pending-deliveries.ts';
import { queryRows } from '../core/query-rows.ts';
import { isNotSettlingSql } from '../ledger/destinations/not-settling.ts';
import { hasWaitingSql } from '../ledger/destinations/delivery-sql.ts';
import { isKeptSql, presentIdSql, receivesEventsSql } from '../ledger/destinations/kept-urls.ts';
import { overdueReasonSql, overdueSinceSql } from '../ledger/destinations/overdue.ts';
import type { DestinationModel } from '../models/destination.ts';
import type { Columns } from '../core/model.ts';

export interface DestinationHealth extends Columns<
  DestinationModel,
  | 'type'
  | 'url'
  | 'label'
  | 'ordering'
  | 'options'
  | 'enabled'
  | 'disabledReason'
  | 'circuit'
  | 'circuitReason'
  | 'circuitOpenedAt'
  | 'circuitProbeAt'
  | 'consecutiveFailures'
  | 'failingSince'
  | 'notSettlingSince'
  | 'lastDeliveredAt'
  | 'lastFailureAt'
> {
  readonly subscriptionPublicId: string | null;
  readonly listenerPublicId: string | null;
  readonly isKept: boolean;
  readonly sendsTraceParent: boolean;
  readonly overdueSince: Date | null;
  readonly overdueReason: OverdueReason | null;
  readonly pendingCount: number;
  readonly retryingCount: number;
  readonly oldestWaitingAt: Date | null;
}

/** Bounds the cost: a backlog can hold millions of deliveries for each of some twenty destinations. */
const MAX_COUNTED = 10_000;

/** Returns the channel's destinations, the webhook first, and its latest earlier URLs. */
export async function listDestinationHealth(db: Knex, channelId: number): Promise<DestinationHealth[]> {
  return await queryRows<DestinationHealth>(db, healthSql, {
    channelId,
    maxCounted: MAX_COUNTED,
    maxKept: MAX_KEPT_SHOWN,
  });
}

const oldestSql = (condition: string): string => `
  select x.id, x.created_at, x.attempt_count from deliveries x where ${condition} order by x.id limit :maxCounted`;

/**
 * Nothing was accepted since `failing_since`, so every attempt since then has failed. Those that the circuit does not count,
 * such as probes, count here too.
 */
const waitingSql = (oldest: string): string => `
  select count(*) as count, min(created_at) as oldest_at,
    coalesce(sum((select count(*) from attempts a where a.delivery_id = first.id and a.started_at >= d.failing_since))
      filter (where attempt_count > 0), 0)::int as failed
  from (${oldest}) first`;

const pendingSql = oldestSql("x.shard = d.shard and x.destination_id = d.id and x.status = 'pending'");
const retryingSql = oldestSql("x.destination_id = d.id and x.status = 'retrying'");

const healthSql = `
select d.type, d.url, d.label, s.public_id as "subscriptionPublicId",
  l.public_id as "listenerPublicId", ${isKeptSql('d')} as "isKept", d.ordering,
  d.sends_trace_parent as "sendsTraceParent", d.options, d.enabled,
  d.disabled_reason as "disabledReason", d.circuit, d.circuit_reason as "circuitReason",
  d.circuit_opened_at as "circuitOpenedAt", d.circuit_probe_at as "circuitProbeAt",
  greatest(d.consecutive_failures, pending.failed + retrying.failed) as "consecutiveFailures", d.failing_since as "failingSince",
  case when ${isNotSettlingSql('d')} then d.not_settling_since end as "notSettlingSince",
  overdue.since as "overdueSince", case when overdue.since is not null then ${overdueReasonSql('d')} end as "overdueReason",
  d.last_delivered_at as "lastDeliveredAt", d.last_failure_at as "lastFailureAt",
  pending.count as "pendingCount", retrying.count as "retryingCount",
  least(pending.oldest_at, retrying.oldest_at) as "oldestWaitingAt"
from destinations d
left join subscriptions s on s.destination_id = ${presentIdSql('d')}
left join listeners l on l.destination_id = d.id
cross join lateral (select ${overdueSinceSql('d')} as since) overdue
cross join lateral (${waitingSql(pendingSql)}) pending
cross join lateral (${waitingSql(retryingSql)}) retrying
where d.channel_id = :channelId and d.deleted_at is null
  and (${receivesEventsSql('d')} or d.id in (
    select k.id from destinations k
    where k.channel_id = :channelId and ${isKeptSql('k')} and k.deleted_at is null and ${hasWaitingSql('k')}
    order by k.id desc limit :maxKept))
order by d.type <> 'webhook', d.id`;
