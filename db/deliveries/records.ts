import type { Knex } from 'knex';
import type {
  AttemptOutcome,
  CancelReason,
  DeliveryStatus,
  DestinationType,
  SkipReason,
} from '../../contract/deliveries/status.ts';
import type { CircuitReason } from '../../contract/destinations/circuit.ts';
import type { EventType } from '../../contract/event-types.ts';
import { urlOf } from './pack-request.ts';
import type { StoredBody } from '../core/body-box.ts';
import type { AuditActorType } from '../../contract/identity/actor-types.ts';
import { eventBodyFromRow, type EventBodyRow, eventPlaceSql, responseBodyFrom } from '../core/body-contexts.ts';
import { presentIdSql } from '../ledger/destinations/kept-urls.ts';

export interface DeliveryRecord {
  readonly id: number;
  readonly eventId: number;
  readonly channelPublicId: string;
  readonly channelName: string;
  readonly workspacePublicId: string;
  readonly eventType: EventType;
  readonly destination: DeliveryTarget | null;
  readonly status: DeliveryStatus;
  readonly skipReason: SkipReason | null;
  /** Null unless cancelled. */
  readonly cancellation: CancellationRecord | null;
  readonly sender: string | null;
  readonly platformMessageId: string | null;
  readonly receivedAt: Date;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly attemptCount: number;
  readonly failedInSchedule: number;
  /** Its last retry was or is made by the pump, without a workflow. */
  readonly pumpRetries: boolean;
  /** The destination's own schedule in seconds, or null. */
  readonly retrySteps: readonly number[] | null;
  /** Null unless the delivery waits behind an open circuit. */
  readonly circuit: CircuitAhead | null;
  readonly replayOfId: number | null;
  readonly replayPublicId: string | null;
  /** Null if the event is not sampled. */
  readonly traceParent: string | null;
  /** The header that tells echoes and deleted messages, or null. */
  readonly eventFlags: string | null;
  /** Null unless the body and the sender were erased. */
  readonly erasedAt: Date | null;
}

export interface CancellationRecord {
  readonly reason: CancelReason;
  /** An ISO 8601 instant. */
  readonly at: string;
  /** Undefined if the service itself cancelled it. */
  readonly actorType?: AuditActorType;
  readonly actorId?: string;
}

export interface CircuitAhead {
  readonly destinationId: number;
  readonly reason: CircuitReason;
  readonly openedAt: Date;
  readonly probeAt: Date;
}

export interface DeliveryTarget {
  readonly type: DestinationType;
  readonly url: string | null;
  readonly label: string | null;
  readonly subscriptionPublicId: string | null;
  readonly listenerPublicId: string | null;
}

export interface AttemptRecord {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: StoredBody | null;
  readonly error: string | null;
  /** The deliveries in the body of the request, or null if the destination was not debounced. */
  readonly batch: readonly number[] | null;
  /** The URL at that time. Null if nothing was sent, and if it is not recorded. */
  readonly url: string | null;
}

export interface DeliveryRow {
  id: number;
  event_id: number;
  channel_public_id: string;
  channel_name: string;
  workspace_public_id: string;
  event_type: EventType;
  destination_type: DestinationType | null;
  url: string | null;
  label: string | null;
  subscription_public_id: string | null;
  listener_public_id: string | null;
  status: DeliveryStatus;
  skip_reason: SkipReason | null;
  cancellation: CancellationRecord | null;
  sender: string | null;
  platform_message_id: string | null;
  received_at: Date;
  created_at: Date;
  next_attempt_at: Date | null;
  attempt_count: number;
  failed_in_schedule: number;
  pump_retries: boolean;
  retry_steps: readonly number[] | null;
  destination_id: number | null;
  circuit_reason: CircuitReason | null;
  circuit_opened_at: Date | null;
  circuit_probe_at: Date | null;
  replay_of_id: number | null;
  replay_public_id: string | null;
  trace_parent: string | null;
  event_flags: string | null;
  erased_at: Date | null;
}

export async function readEventBody(db: Knex, eventId: number): Promise<StoredBody | undefined> {
  const { rows } = await db.raw<{ rows: EventBodyRow[] }>(
    `select e.body, e.body_key_id, ${eventPlaceSql} as place
     from events e join channels c on c.id = e.channel_id where e.id = ?`,
    [eventId],
  );
  return rows[0] && eventBodyFromRow(rows[0]);
}

export interface AttemptRow extends Omit<AttemptRecord, 'responseBody' | 'batch' | 'url'> {
  responseBody: Buffer | null;
  responseBodyKeyId: string | null;
  /** `pg` parses no elements of `bigint[]`. Optional: test events have none. */
  batch?: readonly string[] | null;
  request: Buffer | null;
}

export function attemptFromRow(
  { responseBody, responseBodyKeyId, batch = null, request, ...attempt }: AttemptRow,
  deliveryNumber: number,
): AttemptRecord {
  const answer = responseBodyFrom(responseBody, responseBodyKeyId, deliveryNumber);
  return {
    ...attempt,
    responseBody: answer,
    batch: batch && batch.map(Number),
    url: urlOf(request),
  };
}

/** People may retry a delivery without end. */
export const MAX_SHOWN_ATTEMPTS = 100;

/** The latest ones, oldest first. */
export async function listAttempts(db: Knex, deliveryId: number): Promise<AttemptRecord[]> {
  const { rows } = await db.raw<{ rows: AttemptRow[] }>(
    `select * from (
       select number, started_at as "startedAt", duration_ms as "durationMs", outcome, status,
       response_headers as "responseHeaders", response_body as "responseBody",
       response_body_key_id as "responseBodyKeyId", error, batch, request
       from attempts where delivery_id = ? order by number desc limit ?) latest
     order by number`,
    [deliveryId, MAX_SHOWN_ATTEMPTS],
  );
  return rows.map((row) => attemptFromRow(row, deliveryId));
}

export const deliveryColumns = `
d.id, d.event_id, c.public_id as channel_public_id, c.display_name as channel_name, w.public_id as workspace_public_id, d.event_type,
dest.type as destination_type, dest.url, dest.label, s.public_id as subscription_public_id,
listener.public_id as listener_public_id, d.status, d.skip_reason, d.cancellation,
e.sender, e.platform_message_id, e.created_at as received_at, d.created_at,
case when d.status <> 'pending' then d.next_attempt_at end as next_attempt_at, d.attempt_count,
d.failed_in_schedule, d.pump_retries, d.destination_id, dest.circuit_reason, dest.circuit_opened_at, dest.circuit_probe_at,
dest.options -> 'retrySteps' as retry_steps,
coalesce(item.source_delivery_id, alone.source_delivery_id) as replay_of_id, replay.public_id as replay_public_id,
e.trace_parent, e.flags as event_flags, e.erased_at`;

export const deliveryJoins = `
join events e on e.id = d.event_id
join channels c on c.id = d.channel_id
join workspaces w on w.id = d.workspace_id
left join destinations dest on dest.id = d.destination_id
left join subscriptions s on s.destination_id = ${presentIdSql('dest')}
left join listeners listener on listener.destination_id = dest.id
left join replay_items item on item.delivery_id = d.id
left join replays replay on replay.id = item.replay_id
left join delivery_replays alone on alone.delivery_id = d.id`;

export function deliveryFromRow(row: DeliveryRow): DeliveryRecord {
  return {
    id: row.id,
    eventId: row.event_id,
    channelPublicId: row.channel_public_id,
    channelName: row.channel_name,
    workspacePublicId: row.workspace_public_id,
    eventType: row.event_type,
    destination: row.destination_type && {
      type: row.destination_type,
      url: row.url,
      label: row.label,
      subscriptionPublicId: row.subscription_public_id,
      listenerPublicId: row.listener_public_id,
    },
    status: row.status,
    skipReason: row.skip_reason,
    cancellation: row.status === 'cancelled' ? row.cancellation : null,
    sender: row.sender,
    platformMessageId: row.platform_message_id,
    receivedAt: row.received_at,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    attemptCount: row.attempt_count,
    failedInSchedule: row.failed_in_schedule,
    pumpRetries: row.pump_retries,
    retrySteps: row.retry_steps,
    circuit: circuitAhead(row),
    replayOfId: row.replay_of_id,
    replayPublicId: row.replay_public_id,
    traceParent: row.trace_parent,
    eventFlags: row.event_flags,
    erasedAt: row.erased_at,
  };
}

function circuitAhead(row: DeliveryRow): CircuitAhead | null {
  const { status, destination_id, circuit_reason: reason, circuit_opened_at, circuit_probe_at } = row;
  if (status !== 'pending' && status !== 'retrying') return null;
  if (destination_id === null || reason === null || !circuit_opened_at || !circuit_probe_at) return null;
  return { destinationId: destination_id, reason, openedAt: circuit_opened_at, probeAt: circuit_probe_at };
}
