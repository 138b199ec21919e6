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
import { type DeliveryKinds, kindBindings, ofKindsSql } from './filters.ts';
import { urlOf } from './pack-request.ts';
import type { StoredBody } from '../core/body-box.ts';
import type { AuditActorType } from '../../contract/identity/actor-types.ts';
import { eventBodyFromRow, type EventBodyRow, eventPlaceSql, responseBodyFrom } from '../core/body-contexts.ts';
import { queryRows } from '../core/query-rows.ts';
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

/** Without `destination` and `circuit`, of which it has the parts. */
type DeliveryRow = Omit<DeliveryRecord, 'destination' | 'circuit'> &
  Omit<DeliveryTarget, 'type'> & {
    readonly destinationType: DestinationType | null;
    readonly destinationId: number | null;
    readonly circuitReason: CircuitReason | null;
    readonly circuitOpenedAt: Date | null;
    readonly circuitProbeAt: Date | null;
  };

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

export const attemptColumns = `number, started_at as "startedAt", duration_ms as "durationMs", outcome, status,
  response_headers as "responseHeaders", response_body as "responseBody", response_body_key_id as "responseBodyKeyId",
  error, batch, request`;

/** People may retry a delivery without end. */
export const MAX_SHOWN_ATTEMPTS = 100;

/** The latest ones, oldest first. */
export async function listAttempts(db: Knex, deliveryId: number): Promise<AttemptRecord[]> {
  const { rows } = await db.raw<{ rows: AttemptRow[] }>(
    `select * from (
       select ${attemptColumns}
       from attempts where delivery_id = ? order by number desc limit ?) latest
     order by number`,
    [deliveryId, MAX_SHOWN_ATTEMPTS],
  );
  return rows.map((row) => attemptFromRow(row, deliveryId));
}

const deliverySql = `
d.id, d.event_id as "eventId", c.public_id as "channelPublicId", c.display_name as "channelName",
w.public_id as "workspacePublicId", d.event_type as "eventType", dest.type as "destinationType", dest.url, dest.label,
s.public_id as "subscriptionPublicId", listener.public_id as "listenerPublicId", d.status, d.skip_reason as "skipReason",
case when d.status = 'cancelled' then d.cancellation end as cancellation,
e.sender, e.platform_message_id as "platformMessageId", e.created_at as "receivedAt", d.created_at as "createdAt",
case when d.status <> 'pending' then d.next_attempt_at end as "nextAttemptAt", d.attempt_count as "attemptCount",
d.failed_in_schedule as "failedInSchedule", d.pump_retries as "pumpRetries", d.destination_id as "destinationId",
case when d.status in ('pending', 'retrying') then dest.circuit_reason end as "circuitReason",
dest.circuit_opened_at as "circuitOpenedAt", dest.circuit_probe_at as "circuitProbeAt",
dest.options -> 'retrySteps' as "retrySteps",
coalesce(item.source_delivery_id, alone.source_delivery_id) as "replayOfId", replay.public_id as "replayPublicId",
e.trace_parent as "traceParent", e.flags as "eventFlags", e.erased_at as "erasedAt"`;

const joinsSql = `
join events e on e.id = d.event_id
join channels c on c.id = d.channel_id
join workspaces w on w.id = d.workspace_id
left join destinations dest on dest.id = d.destination_id
left join subscriptions s on s.destination_id = ${presentIdSql('dest')}
left join listeners listener on listener.destination_id = dest.id
left join replay_items item on item.delivery_id = d.id
left join replays replay on replay.id = item.replay_id
left join delivery_replays alone on alone.delivery_id = d.id`;

/** A delivery whose record is to be read. */
export interface FoundDelivery {
  readonly id: number;
  readonly eventId: number;
}

/**
 * Reads records in the given order. The statement has the numbers as parameters, so PostgreSQL plans only the partitions
 * that contain them. A join to the statement that finds them would plan all partitions of each table.
 */
export async function readDeliveries<More = unknown>(
  db: Knex,
  found: readonly FoundDelivery[],
  more: { readonly columns: string; readonly joins: string } = { columns: '', joins: '' }, // Optional.
): Promise<(DeliveryRecord & More)[]> {
  if (found.length === 0) return [];
  const rows = await queryRows<DeliveryRow & More>(
    db,
    `select ${deliverySql} ${more.columns} from deliveries d ${joinsSql} ${more.joins}
     where d.id = any (cast(:ids as bigint[])) and e.id = any (cast(:eventIds as bigint[]))`,
    { ids: found.map(({ id }) => id), eventIds: [...new Set(found.map(({ eventId }) => eventId))] },
  );
  const rowById = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ id }) => {
    const row = rowById.get(id);
    return row ? [recordFrom(row)] : [];
  });
}

function recordFrom<More>(row: DeliveryRow & More): DeliveryRecord & More {
  const { destinationType: type, url, label, subscriptionPublicId, listenerPublicId, ...others } = row;
  const {
    destinationId,
    circuitReason: reason,
    circuitOpenedAt: openedAt,
    circuitProbeAt: probeAt,
    ...record
  } = others;
  const isCircuitAhead = destinationId !== null && reason !== null && openedAt !== null && probeAt !== null;
  return {
    ...record,
    destination: type && { type, url, label, subscriptionPublicId, listenerPublicId },
    circuit: isCircuitAhead ? { destinationId, reason, openedAt, probeAt } : null,
  } as unknown as DeliveryRecord & More; // TypeScript does not see what the rest of a generic type has
}

export interface DeliveriesOf extends DeliveryKinds {
  /** Optional. Null for all workspaces. */
  readonly workspaceId: number | null;
}

/** Keeps the order and omits deliveries that are unknown or excluded. */
export async function findDeliveries(
  db: Knex,
  ids: readonly number[],
  { workspaceId, ...kinds }: DeliveriesOf,
): Promise<FoundDelivery[]> {
  if (ids.length === 0) return [];
  const rows = await queryRows<FoundDelivery>(
    db,
    `select d.id, d.event_id as "eventId" from deliveries d
     where d.id = any (cast(:ids as bigint[]))
       and (cast(:workspaceId as bigint) is null or d.workspace_id = cast(:workspaceId as bigint)) and ${ofKindsSql}`,
    { ids, workspaceId, ...kindBindings(kinds) },
  );
  const foundById = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => foundById.get(id) ?? []);
}

export async function findDeliveryRecord(
  db: Knex,
  { id, workspaceId }: { id: number; workspaceId: number },
): Promise<DeliveryRecord | undefined> {
  const [record] = await readDeliveries(db, await findDeliveries(db, [id], { workspaceId }));
  return record;
}
