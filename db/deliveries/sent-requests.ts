import type { Knex } from 'knex';
import type { EventType } from '../../contract/event-types.ts';
import { queryRows } from '../core/query-rows.ts';
import { MAX_SHOWN_ATTEMPTS } from './records.ts';
import { type SentRequest, unpackRequest } from './pack-request.ts';

export interface RecordedRequest {
  /** Of the attempt. */
  readonly number: number;
  readonly request: SentRequest;
  /** The deliveries of the array, in order, or null if the destination was not debounced. */
  readonly batch: readonly number[] | null;
  /** The events of `batch`, in its order. Null if one of them is no longer stored. */
  readonly events: readonly BatchedEvent[] | null;
}

export interface BatchedEvent {
  readonly deliveryNumber: number;
  readonly eventNumber: number;
  readonly eventType: EventType;
  readonly eventFlags: string | null;
  /** The number of its attempt. */
  readonly attempt: number;
}

interface RequestRow {
  readonly number: number;
  readonly request: Buffer;
  readonly batch: readonly string[] | null;
  readonly events: readonly BatchedEvent[] | null;
}

/** In the order of the attempts. Omits attempts that sent nothing or are erased. */
export async function listSentRequests(db: Knex, deliveryId: number): Promise<RecordedRequest[]> {
  const rows = await queryRows<RequestRow>(
    db,
    `select a.number, a.request, a.batch, (
       select json_agg(json_build_object('deliveryNumber', d.id, 'eventNumber', d.event_id, 'eventType', d.event_type,
         'eventFlags', e.flags, 'attempt', one.number) order by place)
       from unnest(a.batch) with ordinality as batch (id, place)
       join attempts one on one.delivery_id = batch.id and one.batch = a.batch and one.started_at = a.started_at
       join deliveries d on d.id = batch.id
       join events e on e.id = d.event_id) as events
     from (
       select * from attempts where delivery_id = :deliveryId and request is not null
       order by number desc limit :limit
     ) a order by a.number`,
    { deliveryId, limit: MAX_SHOWN_ATTEMPTS },
  );
  return recordedOf(rows);
}

export interface TestKey {
  readonly channelId: number;
  /** Tests stay with the workspace that sent them. */
  readonly workspaceId: number;
  readonly deliveryNumber: number;
}

/** As `listSentRequests`. A test event has one attempt. */
export async function listTestRequests(db: Knex, key: TestKey): Promise<RecordedRequest[]> {
  const rows = await queryRows<RequestRow>(
    db,
    `select 1 as number, request, null as batch, null as events from test_events
     where channel_id = :channelId and workspace_id = :workspaceId and delivery_number = :deliveryNumber
       and request is not null`,
    { ...key },
  );
  return recordedOf(rows);
}

/** Omits requests that a later version recorded in another form. */
function recordedOf(rows: readonly RequestRow[]): RecordedRequest[] {
  return rows.flatMap(({ number, request: packed, batch, events }) => {
    const request = unpackRequest(packed);
    const isComplete = events?.length === batch?.length;
    return request ? [{ number, request, batch: batch && batch.map(Number), events: isComplete ? events : null }] : [];
  });
}
