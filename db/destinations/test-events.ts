import type { Knex } from 'knex';
import type { EventType } from '../../contract/event-types.ts';
import { validSecretsSql } from '../ledger/destinations/delivery-standing.ts';
import { attemptFromRow, type AttemptRecord, type AttemptRow } from '../deliveries/records.ts';
import type { Attempt } from '../ledger/settle.ts';

/**
 * Sample events that somebody sends to a destination to see it receive. They stand in a table of their own and not in
 * the ledger: no event came, so that nothing which counts, replays, searches or checks the ledger must know of them, and
 * how a destination stands is not judged by them. Their ids come from the ledger's sequences, and are nobody else's.
 */
export interface NewTestEvent {
  readonly channelId: number;
  readonly destinationId: number;
  readonly eventType: EventType;
  readonly body: string;
}

/** Stages a test; a workflow sends it. */
export async function insertTestEvent(db: Knex, test: NewTestEvent): Promise<number> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `insert into test_events (channel_id, destination_id, event_type, url, body)
     select ?, id, ?, url, ? from destinations where id = ? returning id`,
    [test.channelId, test.eventType, Buffer.from(test.body), test.destinationId],
  );
  const [row] = rows;
  if (!row) throw new Error(`No destination ${test.destinationId}`);
  return row.id;
}

export interface TestEventToSend {
  readonly deliveryNumber: number;
  readonly eventNumber: number;
  readonly eventType: EventType;
  readonly url: string;
  readonly body: Buffer;
  readonly channelPublicId: string;
  readonly sealedSecrets: readonly string[];
  readonly isAttempted: boolean;
}

/** A test with what an attempt needs; undefined where there is none. */
export async function loadTestEvent(db: Knex, id: number): Promise<TestEventToSend | undefined> {
  const { rows } = await db.raw<{ rows: TestEventToSend[] }>(
    `select t.delivery_number as "deliveryNumber", t.event_number as "eventNumber", t.event_type as "eventType", t.url,
       t.body, c.public_id as "channelPublicId", t.outcome is not null as "isAttempted",
       ${validSecretsSql} as "sealedSecrets"
     from test_events t join channels c on c.id = t.channel_id where t.id = ?`,
    [id],
  );
  return rows[0];
}

/** Keeps what came of a test; of two attempts, which only a crash makes, the first is kept. */
export async function recordTestAttempt(db: Knex, { id, attempt }: { id: number; attempt: Attempt }): Promise<void> {
  await db('test_events')
    .where({ id })
    .whereNull('outcome')
    .update({
      started_at: new Date(attempt.startedAtMs),
      duration_ms: attempt.durationMs,
      outcome: attempt.outcome,
      status: attempt.status,
      response_headers: attempt.responseHeaders && JSON.stringify(attempt.responseHeaders),
      response_body: attempt.responseBody && Buffer.from(attempt.responseBody),
      response_body_key_id: attempt.responseBodyKeyId ?? null,
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

/** A test with its attempt; undefined while none was made. */
export async function findAttemptedTest(db: Knex, id: number): Promise<AttemptedTest | undefined> {
  const { rows } = await db.raw<{ rows: (Omit<AttemptedTest, 'attempt'> & Omit<AttemptRow, 'number'>)[] }>(
    `select delivery_number as "deliveryNumber", event_number as "eventNumber", event_type as "eventType", url, body,
       started_at as "startedAt", duration_ms as "durationMs", outcome, status, response_headers as "responseHeaders",
       response_body as "responseBody", response_body_key_id as "responseBodyKeyId", error
     from test_events where id = ? and outcome is not null`,
    [id],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { deliveryNumber, eventNumber, eventType, url, body, ...attempt } = row;
  return {
    deliveryNumber,
    eventNumber,
    eventType,
    url,
    body,
    attempt: attemptFromRow({ number: 1, ...attempt }, deliveryNumber),
  };
}
