import type { Knex } from 'knex';
import type { EventType } from '../../contract/event-types.ts';
import { queryRows } from '../core/query-rows.ts';
import { attemptFromRow, type AttemptRecord, type AttemptRow } from '../deliveries/records.ts';
import { validSecretsSql } from '../ledger/destinations/delivery-sql.ts';
import type { Attempt } from '../ledger/attempts.ts';
import { TestEventModel } from '../models/test-event.ts';

/**
 * Sample events that a user sends to a destination. Their own table keeps them out of the ledger and its counts,
 * replays and searches, and away from the destination's circuit. Ids come from the ledger's sequences, so they are
 * unique among deliveries and events.
 */
export interface NewTestEvent {
  readonly channelId: number;
  readonly destinationId: number;
  readonly eventType: EventType;
  readonly body: string;
}

export async function insertTestEvent(db: Knex, test: NewTestEvent): Promise<number> {
  const [inserted] = await queryRows<{ id: number }>(
    db,
    `insert into test_events (channel_id, destination_id, event_type, url, body)
     select :channelId, id, :eventType, url, :body from destinations where id = :destinationId returning id`,
    { ...test, body: Buffer.from(test.body) },
  );
  if (!inserted) throw new Error(`Destination ${test.destinationId} does not exist`);
  return inserted.id;
}

export interface TestEventToSend {
  readonly deliveryNumber: number;
  readonly eventNumber: number;
  readonly eventType: EventType;
  readonly url: string;
  readonly body: Buffer;
  readonly channelPublicId: string;
  readonly workspaceId: string;
  readonly destinationId: number;
  readonly sealedSecrets: readonly string[];
  readonly sendsTraceParent: boolean;
  readonly isAttempted: boolean;
}

export async function loadTestEvent(db: Knex, id: number): Promise<TestEventToSend | undefined> {
  const [test] = await queryRows<TestEventToSend>(
    db,
    `select t.delivery_number as "deliveryNumber", t.event_number as "eventNumber", t.event_type as "eventType", t.url,
       t.body, c.public_id as "channelPublicId", w.public_id as "workspaceId", t.destination_id as "destinationId",
       t.outcome is not null as "isAttempted", coalesce(d.sends_trace_parent, true) as "sendsTraceParent",
       ${validSecretsSql} as "sealedSecrets"
     from test_events t join channels c on c.id = t.channel_id join workspaces w on w.id = c.workspace_id
     left join destinations d on d.id = t.destination_id
     where t.id = :id`,
    { id },
  );
  return test;
}

/** If a crash caused a second attempt, the first one is kept. */
export async function recordTestAttempt(db: Knex, { id, attempt }: { id: number; attempt: Attempt }): Promise<void> {
  await TestEventModel.query(db)
    .findById(id)
    .whereNull('outcome')
    .patch({
      startedAt: new Date(attempt.startedAtMs),
      durationMs: attempt.durationMs,
      outcome: attempt.outcome,
      status: attempt.status,
      responseHeaders: attempt.responseHeaders,
      responseBody: attempt.responseBody && Buffer.from(attempt.responseBody),
      responseBodyKeyId: attempt.responseBodyKeyId ?? null,
      error: attempt.error,
    });
}

export interface AttemptedTest {
  readonly deliveryNumber: number;
  readonly eventNumber: number;
  readonly eventType: EventType;
  readonly url: string;
  readonly body: Buffer;
  readonly attempt: AttemptRecord;
}

const columns = [
  ...['delivery_number', 'event_number', 'event_type', 'url', 'body', 'started_at', 'duration_ms', 'outcome', 'status'],
  ...['response_headers', 'response_body', 'response_body_key_id', 'error'],
];

/** Returns undefined until the event is attempted. */
export async function findAttemptedTest(db: Knex, id: number): Promise<AttemptedTest | undefined> {
  const test = await TestEventModel.query(db)
    .select(columns)
    .findById(id)
    .whereNotNull('outcome')
    .castTo<(Omit<AttemptedTest, 'attempt'> & Omit<AttemptRow, 'number'>) | undefined>();
  if (!test) return undefined;
  const { deliveryNumber, eventNumber, eventType, url, body, ...attempt } = test;
  return {
    deliveryNumber,
    eventNumber,
    eventType,
    url,
    body,
    attempt: attemptFromRow({ number: 1, ...attempt }, deliveryNumber),
  };
}
