import type { Knex } from 'knex';
import type { DestinationOptions } from '../../contract/destinations/options.ts';
import type { EventType } from '../../contract/event-types.ts';
import { queryRows } from '../core/query-rows.ts';
import { attemptFromRow, type AttemptRecord, type AttemptRow } from '../deliveries/records.ts';
import { validSecretsSql } from '../ledger/destinations/delivery-sql.ts';
import type { Attempt } from '../ledger/attempts.ts';
import { TestEventModel } from '../models/test-event.ts';
import type { Columns } from '../core/model.ts';

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
    `insert into test_events (channel_id, workspace_id, destination_id, event_type, url, body)
     select c.id, c.workspace_id, d.id, :eventType, d.url, :body from destinations d, channels c
     where d.id = :destinationId and c.id = :channelId returning id`,
    { ...test, body: Buffer.from(test.body) },
  );
  if (!inserted) throw new Error(`Destination ${test.destinationId} does not exist`);
  return inserted.id;
}

export interface TestEventToSend extends Columns<
  TestEventModel,
  'deliveryNumber' | 'eventNumber' | 'eventType' | 'url' | 'body' | 'destinationId' | 'outcome'
> {
  readonly channelPublicId: string;
  readonly workspaceId: string;
  readonly sealedSecrets: readonly string[];
  readonly sendsTraceParent: boolean;
  readonly options: DestinationOptions | null;
  readonly sealedCredentials: string | null;
}

export async function loadTestEvent(db: Knex, id: number): Promise<TestEventToSend | undefined> {
  const [test] = await queryRows<TestEventToSend>(
    db,
    `select t.delivery_number as "deliveryNumber", t.event_number as "eventNumber", t.event_type as "eventType", t.url,
       t.body, c.public_id as "channelPublicId", w.public_id as "workspaceId", t.destination_id as "destinationId",
       t.outcome, coalesce(d.sends_trace_parent, true) as "sendsTraceParent",
       d.options, case when d.url = t.url then d.credentials_encrypted end as "sealedCredentials",
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
      request: attempt.request ?? null,
    });
}

export interface TestRecord extends Columns<
  TestEventModel,
  'id' | 'deliveryNumber' | 'eventNumber' | 'eventType' | 'url' | 'body' | 'createdAt'
> {
  /** Null for the webhook. */
  readonly subscriptionPublicId: string | null;
  /** Null until it is attempted. */
  readonly attempt: AttemptRecord | null;
}

export interface TestPage {
  readonly channelId: number;
  /** Tests stay with the workspace that sent them. */
  readonly workspaceId: number;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Returns undefined until the event is attempted. */
export async function findAttemptedTest(
  db: Knex,
  id: number,
): Promise<(TestRecord & { readonly attempt: AttemptRecord }) | undefined> {
  const [row] = await queryRows<TestRow>(db, `${selectSql} where t.id = :id and t.outcome is not null`, { id });
  if (!row) return undefined;
  const { attempt, ...test } = recordOf(row);
  return attempt ? { ...test, attempt } : undefined;
}

export async function findTest(
  db: Knex,
  key: Omit<TestPage, 'before' | 'limit'> & { readonly deliveryNumber: number },
): Promise<TestRecord | undefined> {
  const [row] = await queryRows<TestRow>(
    db,
    `${selectSql} where t.channel_id = :channelId and t.workspace_id = :workspaceId and t.delivery_number = :deliveryNumber`,
    { ...key },
  );
  return row && recordOf(row);
}

/** Newest first. */
export async function listTests(db: Knex, page: TestPage): Promise<TestRecord[]> {
  const rows = await queryRows<TestRow>(
    db,
    `${selectSql} where t.channel_id = :channelId and t.workspace_id = :workspaceId
       and (cast(:before as bigint) is null or t.id < cast(:before as bigint)) order by t.id desc limit :limit`,
    { ...page, before: page.before ?? null },
  );
  return rows.map(recordOf);
}

type TestRow = Omit<TestRecord, 'attempt'> &
  Omit<AttemptRow, 'number' | 'outcome'> & {
    readonly outcome: AttemptRow['outcome'] | null;
  };

const selectSql = `
  select t.id, t.delivery_number as "deliveryNumber", t.event_number as "eventNumber", t.event_type as "eventType",
    t.url, t.body, t.created_at as "createdAt", s.public_id as "subscriptionPublicId", t.started_at as "startedAt",
    t.duration_ms as "durationMs", t.outcome, t.status, t.response_headers as "responseHeaders",
    t.response_body as "responseBody", t.response_body_key_id as "responseBodyKeyId", t.error, t.request
  from test_events t left join subscriptions s on s.destination_id = t.destination_id`;

function recordOf(row: TestRow): TestRecord {
  const { id, deliveryNumber, eventNumber, eventType, url, body, createdAt, subscriptionPublicId, ...made } = row;
  const { outcome, ...rest } = made;
  const attempt = outcome === null ? null : attemptFromRow({ number: 1, outcome, ...rest }, deliveryNumber);
  return { id, deliveryNumber, eventNumber, eventType, url, body, createdAt, subscriptionPublicId, attempt };
}
