import type { DeliveryStatus, SkipReason } from '../../contract/deliveries/status.ts';
import type { EventType } from '../../contract/event-types.ts';
import type { DestinationOptions } from '../../contract/destinations/options.ts';
import type { StoredBody } from '../core/body-box.ts';
import { type EventBodyRow, eventPlaceSql, withBody } from '../core/body-contexts.ts';
import { msSql, validSecretsSql, voidAsSql } from './destinations/delivery-sql.ts';
import { exhaustedSql } from './destinations/failure-counts-sql.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import { voidCancellationSql } from './transitions/cancellation-sql.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

export interface LoadedDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly eventType: EventType;
  /** The header that tells echoes and deleted messages, or null. */
  readonly eventFlags: string | null;
  readonly destinationId: number;
  readonly channelId: string;
  readonly workspaceId: string;
  readonly organizationId: number;
  readonly status: DeliveryStatus;
  /** While retrying: the pump makes the next attempt, and there is no workflow. */
  readonly pumpRetries: boolean;
  readonly attemptCount: number;
  readonly failedInSchedule: number;
  readonly scheduledAtMs: number;
  readonly isCircuitOpen: boolean;
  readonly nextAttemptAtMs: number | null;
  readonly url: string;
  readonly voidAs: 'cancelled' | SkipReason | null;
  readonly sealedSecrets: readonly string[];
  readonly body: StoredBody;
  /** Null if the event is not sampled. */
  readonly traceParent: string | null;
  readonly sendsTraceParent: boolean;
  /** Null if the destination has only defaults. */
  readonly options: DestinationOptions | null;
  readonly sealedCredentials: string | null;
}

export async function loadDelivery(pool: HotPool, id: number): Promise<LoadedDelivery | undefined> {
  const { rows } = await pool.query<Omit<LoadedDelivery, 'body'> & EventBodyRow>({
    name: 'load-delivery',
    text: loadSql,
    values: [id],
  });
  return rows[0] && withBody(rows[0]);
}

/** On average. An operator must restore a key and restart the workers first. */
const UNREADABLE_WAIT_MS = 15 * 60_000;

export interface EndDelivery {
  readonly id: number;
  readonly end: 'exhaust' | 'cancel' | 'skip';
  /** Null unless skipped. */
  readonly reason: SkipReason | null;
}

export async function endDelivery(pool: HotPool, end: EndDelivery): Promise<void> {
  await pool.query(endOne(end));
}

const endOne = namedStatement<EndDelivery>(
  'end-delivery',
  `
with l as materialized (
  select id from destinations
  where :end::text = 'exhaust' and id = (select destination_id from deliveries where id = :id::bigint)
  for no key update
),
${moveDeliveriesSql({
  source: '(select :id::bigint as id) one',
  id: 'one.id',
  where: '(select count(*) from l) >= 0', // locks the destination first
  transition: [
    { transition: 'exhaust', when: ":end::text = 'exhaust'" },
    { transition: 'cancel', when: ":end::text = 'cancel'" },
    { transition: 'skip' },
  ],
  skipReason: ':reason::text',
  cancellation: voidCancellationSql,
  notify: 'destination',
})},
${exhaustedSql}
select from moved where ${isNotified}`,
);

/**
 * Moves a delivery with an undecryptable body to the pump's retries without counting a failure. Restarts the schedule,
 * so that a circuit that opens later does not exhaust it. Does nothing if the delivery has ended. The waits differ, so that
 * thousands of deliveries are not tried at one moment.
 */
export async function postponeUnreadable(pool: HotPool, id: number): Promise<void> {
  await pool.query(postpone({ id }));
}

const postpone = namedStatement<{ readonly id: number }>(
  'postpone-unreadable',
  `
with ${moveDeliveriesSql({
    source: '(select :id::bigint as id) one',
    id: 'one.id',
    transition: 'postpone',
    nextAttemptAt: `now() + ${UNREADABLE_WAIT_MS} * (0.5 + random()) * interval '1 millisecond'`,
    pumpRetries: 'true',
    set: 'restarted_at = now()',
    notify: 'released',
  })}
select from moved where ${isNotified}`,
);

/** The pump makes the next attempt, now. Does nothing if the delivery has ended or the pump has it already. */
export async function giveToPump(pool: HotPool, id: number): Promise<void> {
  await pool.query({
    name: 'give-to-pump',
    text: `update deliveries set pump_retries = true, next_attempt_at = least(next_attempt_at, now())
           where id = $1 and status = 'retrying' and not pump_retries`,
    values: [id],
  });
}

export async function releaseHold(pool: HotPool, id: number): Promise<void> {
  await pool.query({
    name: 'release-hold',
    text: `with released as (delete from conversation_holds h using deliveries d
             where d.id = $1 and h.destination_id = d.destination_id and h.conversation_key = d.conversation_key
               and h.delivery_id = d.id returning d.shard)
           select pg_notify('deliveries', shard::text) from released`,
    values: [id],
  });
}

const loadSql = `
select d.id, d.event_id as "eventId", d.event_type as "eventType", e.flags as "eventFlags",
  d.destination_id as "destinationId", c.public_id as "channelId", w.public_id as "workspaceId",
  w.organization_id as "organizationId", d.status, d.pump_retries as "pumpRetries", d.attempt_count as "attemptCount",
  d.failed_in_schedule as "failedInSchedule", ${msSql('coalesce(d.restarted_at, d.created_at)')} as "scheduledAtMs",
  dest.circuit = 'open' as "isCircuitOpen", ${msSql('d.next_attempt_at')} as "nextAttemptAtMs", dest.url,
  ${voidAsSql} as "voidAs", ${validSecretsSql} as "sealedSecrets", e.body, e.body_key_id, ${eventPlaceSql} as place,
  e.trace_parent as "traceParent", dest.sends_trace_parent as "sendsTraceParent", dest.options,
  dest.credentials_encrypted as "sealedCredentials"
from deliveries d
join events e on e.id = d.event_id
join destinations dest on dest.id = d.destination_id
join channels c on c.id = d.channel_id
join workspaces w on w.id = c.workspace_id
where d.id = $1`;
