import type { Knex } from 'knex';
import type { EventType } from '../../contract/event-types.ts';
import type { StoredBody } from '../core/body-box.ts';
import { eventBodyFromRow, type EventBodyRow, eventPlaceSql } from '../core/body-contexts.ts';
import { queryRows } from '../core/query-rows.ts';
import type { AttemptOutcome } from '../../contract/deliveries/status.ts';
import { urlOf } from './pack-request.ts';

/** What lists show of deliveries beyond their own row. */

export interface LastAttempt {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly error: string | null;
  /** The URL at that time. Null if it is not recorded. */
  readonly url: string | null;
}

interface LastAttemptRow extends Omit<LastAttempt, 'url'> {
  readonly deliveryId: number;
  readonly request: Buffer | null;
}

/** By delivery. The numbers are parameters, so only the partitions that contain them are planned. */
export async function readLastAttempts(db: Knex, deliveryIds: readonly number[]): Promise<Map<number, LastAttempt>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await queryRows<LastAttemptRow>(
    db,
    `select distinct on (delivery_id) delivery_id as "deliveryId", number, started_at as "startedAt",
       duration_ms as "durationMs", outcome, status, error, request
     from attempts where delivery_id = any (cast(:deliveryIds as bigint[])) order by delivery_id, number desc`,
    { deliveryIds },
  );
  return new Map(rows.map(({ deliveryId, request, ...last }) => [deliveryId, { ...last, url: urlOf(request) }]));
}

/** Bounds the memory of a list. Nearly all bodies have less than 4 KiB. */
const MAX_LISTED_BODY_BYTES = 65_536;

const isListedSql = `e.id = any (cast(:eventIds as bigint[])) and e.erased_at is null
  and octet_length(e.body) <= ${MAX_LISTED_BODY_BYTES}`;

export interface ListedBody {
  readonly eventType: EventType;
  readonly body: StoredBody;
  /** As it is stored. */
  readonly bytes: number;
}

/** By event. Omits erased bodies and those over `MAX_LISTED_BODY_BYTES`. */
export async function readListedBodies(db: Knex, eventIds: readonly number[]): Promise<Map<number, ListedBody>> {
  if (eventIds.length === 0) return new Map();
  const rows = await queryRows<EventBodyRow & { readonly id: number; readonly eventType: EventType }>(
    db,
    `select e.id, e.event_type as "eventType", e.body, e.body_key_id, ${eventPlaceSql} as place
     from events e join channels c on c.id = e.channel_id
     where ${isListedSql}`,
    { eventIds: [...new Set(eventIds)] },
  );
  return new Map(
    rows.map((row) => [row.id, { eventType: row.eventType, body: eventBodyFromRow(row), bytes: row.body.length }]),
  );
}

/** In bytes, by event. Those that `readListedBodies` would return. */
export async function readListedSizes(db: Knex, eventIds: readonly number[]): Promise<Map<number, number>> {
  if (eventIds.length === 0) return new Map();
  const rows = await queryRows<{ readonly id: number; readonly bytes: number }>(
    db,
    `select e.id, octet_length(e.body) as bytes from events e where ${isListedSql}`,
    { eventIds: [...new Set(eventIds)] },
  );
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** By event. */
export async function readTraceParents(db: Knex, eventIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await queryRows<{ readonly id: number; readonly traceParent: string }>(
    db,
    `select id, trace_parent as "traceParent" from events
     where id = any (cast(:eventIds as bigint[])) and trace_parent is not null`,
    { eventIds: [...new Set(eventIds)] },
  );
  return new Map(rows.map(({ id, traceParent }) => [id, traceParent]));
}

export interface SentBatch {
  readonly deliveryId: number;
  readonly deliveryIds: readonly number[];
}

/** The requests with several events in which deliveries were sent. */
export async function readSentBatches(db: Knex, deliveryIds: readonly number[]): Promise<SentBatch[]> {
  const rows = await queryRows<{ readonly deliveryId: number; readonly batch: readonly string[] }>(
    db,
    `select delivery_id as "deliveryId", batch from attempts
     where delivery_id = any (cast(:deliveryIds as bigint[])) and batch is not null`,
    { deliveryIds },
  );
  return rows.map(({ deliveryId, batch }) => ({ deliveryId, deliveryIds: batch.map(Number) }));
}
