import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { type SentRequest, unpackRequest } from './pack-request.ts';

export interface RecordedRequest {
  /** Of the attempt. */
  readonly number: number;
  readonly request: SentRequest;
}

interface RequestRow {
  readonly number: number;
  readonly request: Buffer;
}

/** In the order of the attempts. Omits attempts that sent nothing, are erased, or were made by an earlier version. */
export async function listSentRequests(db: Knex, deliveryId: number): Promise<RecordedRequest[]> {
  const rows = await queryRows<RequestRow>(
    db,
    'select number, request from attempts where delivery_id = :deliveryId and request is not null order by number',
    { deliveryId },
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
    `select 1 as number, request from test_events
     where channel_id = :channelId and workspace_id = :workspaceId and delivery_number = :deliveryNumber
       and request is not null`,
    { ...key },
  );
  return recordedOf(rows);
}

/** Omits requests that a later version recorded in another form. */
function recordedOf(rows: readonly RequestRow[]): RecordedRequest[] {
  return rows.flatMap(({ number, request: packed }) => {
    const request = unpackRequest(packed);
    return request ? [{ number, request }] : [];
  });
}
