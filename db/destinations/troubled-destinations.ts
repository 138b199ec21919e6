import type { Knex } from 'knex';
import type { DeliveryState } from '../../contract/channels/delivery-state.ts';
import type { AttemptOutcome } from '../../contract/deliveries/status.ts';
import type { CircuitReason } from '../../contract/destinations/circuit.ts';
import type { OverdueReason } from '../../contract/destinations/overdue.ts';
import type { DisabledReason } from '../../contract/destinations/pending-deliveries.ts';
import { responseBodyFrom } from '../core/body-contexts.ts';
import type { StoredBody } from '../core/body-box.ts';
import { queryRows } from '../core/query-rows.ts';
import { isNotSettlingSql } from '../ledger/destinations/not-settling.ts';
import { type OverviewView, workspacesSql } from '../deliveries/organization-statistics.ts';
import { overdueReasonSql, overdueSinceSql } from '../ledger/destinations/overdue.ts';
import { receivesEventsSql } from '../ledger/destinations/kept-urls.ts';

export interface TroubledDestination {
  readonly channelPublicId: string;
  readonly channelName: string;
  readonly workspacePublicId: string;
  /** Null for the webhook. */
  readonly subscriptionPublicId: string | null;
  readonly label: string | null;
  readonly url: string;
  readonly state: Exclude<DeliveryState, 'ok'>;
  readonly reason: DisabledReason | CircuitReason | OverdueReason | null;
  readonly since: Date | null;
  readonly lastFailure: LastFailure | null;
}

export interface LastFailure {
  readonly deliveryNumber: number;
  readonly startedAt: Date;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly error: string | null;
  readonly responseBody: StoredBody | null;
}

/** More than a person repairs at once. */
const MAX_TROUBLED = 20;
/** Deliveries among which those with a failed attempt are sought: the channel's newest, the destination's oldest pending. */
const MAX_SOUGHT = 500;
/** Of those, deliveries whose attempts are compared. */
const MAX_COMPARED = 20;

/** The most urgent ones first. Without listeners, which are read, and previous URLs, which end by themselves. */
export async function listTroubledDestinations(db: Knex, view: OverviewView): Promise<TroubledDestination[]> {
  const rows = await queryRows<Row>(db, troubledSql, {
    ...view,
    limit: MAX_TROUBLED,
    maxSought: MAX_SOUGHT,
    maxCompared: MAX_COMPARED,
  });
  return rows.map(({ deliveryNumber, startedAt, outcome, status, error, responseBody, responseBodyKeyId, ...row }) => ({
    ...row,
    lastFailure:
      deliveryNumber === null || startedAt === null || outcome === null
        ? null
        : {
            deliveryNumber,
            startedAt,
            outcome,
            status,
            error,
            responseBody: responseBodyFrom(responseBody, responseBodyKeyId, deliveryNumber),
          },
  }));
}

interface Row extends Omit<TroubledDestination, 'lastFailure'> {
  readonly deliveryNumber: number | null;
  readonly startedAt: Date | null;
  readonly outcome: AttemptOutcome | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly responseBody: Buffer | null;
  readonly responseBodyKeyId: string | null;
}

/** A destination that a user disabled comes last: the user knows. */
const troubledSql = `
with places as materialized (${workspacesSql}),
troubled as materialized (
  select d.id, d.shard, d.url, d.label, d.channel_id, c.public_id as channel_public_id, c.display_name, w.public_id as place,
    d.disabled_reason, d.circuit_reason, d.circuit_opened_at, d.failing_since, d.not_settling_since,
    overdue.since as overdue_since, ${overdueReasonSql('d')} as overdue_reason,
    case
      when not d.enabled then 'disabled'
      when ${isNotSettlingSql('d')} then 'not_settling'
      when d.circuit = 'open' then 'circuit_open'
      when overdue.since is not null then 'overdue'
      else 'failing'
    end as state,
    case
      when not d.enabled and d.disabled_reason in ('gone', 'failing') then 0
      when not d.enabled then 5
      when ${isNotSettlingSql('d')} then 1
      when d.circuit = 'open' then 2
      when overdue.since is not null then 3
      else 4
    end as urgency
  from destinations d
  join channels c on c.id = d.channel_id
  join workspaces w on w.id = c.workspace_id
  cross join lateral (select ${overdueSinceSql('d')} as since) overdue
  where c.workspace_id in (select id from places) and c.disconnected_at is null
    and ${receivesEventsSql('d')} and d.type <> 'listener'
    and (not d.enabled or d.circuit = 'open' or d.failing_since is not null or overdue.since is not null
      or ${isNotSettlingSql('d')})
  order by urgency, d.id desc
  limit :limit
)
select t.channel_public_id as "channelPublicId", t.display_name as "channelName", t.place as "workspacePublicId",
  s.public_id as "subscriptionPublicId", t.label, t.url, t.state,
  case t.state when 'disabled' then coalesce(t.disabled_reason, 'by_hand') when 'circuit_open' then t.circuit_reason
    when 'overdue' then t.overdue_reason
  end as reason,
  case t.state when 'not_settling' then t.not_settling_since when 'circuit_open' then t.circuit_opened_at
    when 'overdue' then t.overdue_since
    else t.failing_since end as since,
  failed.delivery_id as "deliveryNumber", failed.started_at as "startedAt", failed.outcome, failed.status, failed.error,
  failed.response_body as "responseBody", failed.response_body_key_id as "responseBodyKeyId"
from troubled t
left join subscriptions s on s.destination_id = t.id
left join lateral (
  select a.* from (
    (select newest.id from (
      select x.id, x.destination_id, x.attempt_count from deliveries x
      where x.channel_id = t.channel_id and x.status in ('retrying', 'exhausted', 'cancelled', 'skipped')
      order by x.id desc limit :maxSought
    ) newest
    where newest.destination_id = t.id and newest.attempt_count > 0
    order by newest.id desc limit :maxCompared)
    union all
    (select oldest.id from (
      select x.id, x.attempt_count from deliveries x
      where x.shard = t.shard and x.destination_id = t.id and x.status = 'pending'
      order by x.id limit :maxSought
    ) oldest
    where oldest.attempt_count > 0
    order by oldest.id limit :maxCompared)
  ) tried
  join attempts a on a.delivery_id = tried.id and a.outcome <> 'accepted'
  order by a.started_at desc limit 1
) failed on true
order by t.urgency, t.id desc`;
