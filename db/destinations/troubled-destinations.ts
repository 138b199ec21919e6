import type { Knex } from 'knex';
import type { DeliveryState } from '../../contract/channels/delivery-state.ts';
import type { AttemptOutcome } from '../../contract/deliveries/status.ts';
import { responseBodyFrom } from '../core/body-contexts.ts';
import type { StoredBody } from '../core/body-box.ts';
import { queryRows } from '../core/query-rows.ts';
import { destinationStateSql, type StateReason } from './destination-state.ts';
import { type OverviewView, workspacesSql } from '../deliveries/organization-statistics.ts';
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
  readonly reason: StateReason | null;
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

const troubledSql = `
with places as materialized (${workspacesSql}),
troubled as materialized (
  select d.id, d.shard, d.url, d.label, d.channel_id, c.public_id as channel_public_id, c.display_name,
    w.public_id as place, ranked.*
  from destinations d
  join channels c on c.id = d.channel_id
  join workspaces w on w.id = c.workspace_id
  ${destinationStateSql}
  where c.workspace_id in (select id from places) and c.disconnected_at is null
    and ${receivesEventsSql('d')} and d.type <> 'listener' and ranked.state <> 'ok'
  order by urgency, d.id desc
  limit :limit
)
select t.channel_public_id as "channelPublicId", t.display_name as "channelName", t.place as "workspacePublicId",
  s.public_id as "subscriptionPublicId", t.label, t.url, t.state, t.reason, t.since,
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
