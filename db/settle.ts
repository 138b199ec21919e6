import type { AttemptOutcome } from '../contract/delivery-status.ts';
import { packBytes, type HotPool } from './hot-pool.ts';
import type { VoidDelivery } from './claim.ts';

/** One HTTP request and what came of it, as the ledger keeps it. */
export interface Attempt {
  readonly number: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: Uint8Array | null;
  readonly error: string | null;
}

export interface SettledAttempt {
  readonly deliveryId: number;
  readonly destinationId: number;
  readonly attempt: Attempt;
}

/** A first attempt that failed: where the delivery goes from here. */
export interface FailedFirstAttempt extends SettledAttempt {
  /** Null when the schedule has no wait left: exhausted. */
  readonly nextAttemptAtMs: number | null;
  /** Null when this destination's order is none. */
  readonly hold: { readonly conversationKey: number; readonly untilMs: number } | null;
}

/**
 * Records accepted attempts in one statement. A 2xx is recorded whatever state the row has meanwhile and whoever holds
 * the shard: the receiver has the event, and the ledger must say so.
 */
export async function settleAccepted(pool: HotPool, settled: readonly SettledAttempt[]): Promise<void> {
  if (settled.length === 0) return;
  await pool.query({ name: 'settle-accepted', text: acceptedSql, values: attemptColumns(inOrder(settled)) });
}

/**
 * Records first attempts that failed and hands their deliveries to the retry schedule; returns the ids that moved. A
 * row that another pump or a person has moved meanwhile keeps its state, and nothing moves under an old fence.
 */
export async function settleFailed(
  pool: HotPool,
  { shard, fence, failed: given }: { shard: number; fence: number; failed: readonly FailedFirstAttempt[] },
): Promise<ReadonlySet<number>> {
  if (given.length === 0) return new Set();
  const failed = inOrder(given);
  const { rows } = await pool.query<{ id: number }>({
    name: 'settle-failed',
    text: failedSql,
    values: [
      ...attemptColumns(failed),
      failed.map(({ nextAttemptAtMs }) => toDate(nextAttemptAtMs)),
      failed.map(({ hold }) => hold?.conversationKey ?? null),
      failed.map(({ hold }) => toDate(hold?.untilMs ?? null)),
      shard,
      fence,
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Ends rows that must not go any more, while they are still pending. */
export async function settleVoided(
  pool: HotPool,
  { shard, fence, voided }: { shard: number; fence: number; voided: readonly VoidDelivery[] },
): Promise<void> {
  if (voided.length === 0) return;
  await pool.query({
    name: 'settle-voided',
    text: `update deliveries d
           set status = v.status, skip_reason = v.reason, xid = pg_current_xact_id()
           from unnest($1::bigint[], $2::text[], $3::text[]) as v (id, status, reason)
           where d.id = v.id and d.status = 'pending'
             and exists (select from shard_leases where shard = $4 and fence = $5)`,
    values: [
      voided.map(({ id }) => id),
      voided.map(({ end }) => end.status),
      voided.map(({ end }) => (end.status === 'skipped' ? end.reason : null)),
      shard,
      fence,
    ],
  });
}

function inOrder<Settled extends SettledAttempt>(settled: readonly Settled[]): Settled[] {
  return settled.toSorted((a, b) => a.deliveryId - b.deliveryId);
}

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

function attemptColumns(settled: readonly SettledAttempt[]): unknown[] {
  const attempts = settled.map(({ attempt }) => attempt);
  const bodies = packBytes(attempts.map(({ responseBody }) => responseBody));
  return [
    settled.map(({ deliveryId }) => deliveryId),
    settled.map(({ destinationId }) => destinationId),
    attempts.map(({ number }) => number),
    attempts.map(({ startedAtMs }) => startedAtMs),
    attempts.map(({ durationMs }) => durationMs),
    attempts.map(({ outcome }) => outcome),
    attempts.map(({ status }) => status),
    attempts.map(({ responseHeaders }) => responseHeaders && JSON.stringify(responseHeaders)),
    attempts.map(({ error }) => error),
    bodies.offsets,
    bodies.lengths,
    bodies.blob,
  ];
}

/**
 * Whoever settles locks the destinations first, in the order of their ids, and then the deliveries in the order of
 * theirs: the two settlers of a pump, and the old pump and the new, meet on the same rows all the time.
 */
const settledCtes = `
with locked as materialized (
  select id from destinations where id = any ($2::bigint[]) order by id for no key update
),
settled as materialized (
  select s.* from unnest($1::bigint[], $2::bigint[], $3::int[], $4::bigint[], $5::int[], $6::text[], $7::smallint[],
    $8::jsonb[], $9::text[], $10::int[], $11::int[])
    as s (id, destination_id, number, started_at_ms, duration_ms, outcome, http_status, headers, error, body_at, body_length)
  where (select count(*) from locked) >= 0
),
logged as (
  insert into attempts
    (delivery_id, number, started_at, duration_ms, outcome, status, response_headers, response_body, error)
  select id, number, to_timestamp(started_at_ms / 1000.0), duration_ms, outcome, http_status, headers,
    substring($12::bytea from body_at for body_length), error
  from settled
  on conflict (delivery_id, number)`;

/** The same attempt may have failed for another pump, under another fence: the 2xx is what the log must say. */
const acceptedSql = `
${settledCtes} do update set started_at = excluded.started_at, duration_ms = excluded.duration_ms,
    outcome = excluded.outcome, status = excluded.status, response_headers = excluded.response_headers,
    response_body = excluded.response_body, error = excluded.error
  where attempts.outcome <> 'accepted'
),
moved as (
  update deliveries d
  set status = 'delivered', attempt_count = greatest(d.attempt_count, s.number), next_attempt_at = null,
    skip_reason = null, xid = pg_current_xact_id()
  from settled s
  where d.id = any ($1::bigint[]) and d.id = s.id and d.status <> 'delivered'
)
update destinations dest
set last_delivered_at = to_timestamp(latest.at_ms / 1000.0)
from (select destination_id, max(started_at_ms + duration_ms) as at_ms from settled group by destination_id) latest
where dest.id = latest.destination_id
`;

const failedSql = `
${settledCtes} do nothing
),
plan as (
  select * from unnest($1::bigint[], $13::timestamptz[], $14::bigint[], $15::timestamptz[])
    as p (id, next_attempt_at, conversation_key, until_at)
),
moved as (
  update deliveries d
  set status = case when p.next_attempt_at is null then 'exhausted' else 'retrying' end,
    attempt_count = s.number, failed_in_schedule = d.failed_in_schedule + 1, next_attempt_at = p.next_attempt_at,
    xid = pg_current_xact_id()
  from settled s join plan p using (id)
  where d.id = any ($1::bigint[]) and d.id = s.id and d.status = 'pending' and d.attempt_count = s.number - 1
    and exists (select from shard_leases where shard = $16 and fence = $17)
  returning d.id, d.destination_id
),
held as (
  insert into conversation_holds (destination_id, conversation_key, delivery_id, until_at)
  select m.destination_id, p.conversation_key, m.id, p.until_at
  from moved m join plan p using (id)
  where p.conversation_key is not null and p.next_attempt_at is not null
  on conflict (destination_id, conversation_key, delivery_id) do update set until_at = excluded.until_at
),
touched as (
  update destinations dest
  set last_failure_at = to_timestamp(latest.at_ms / 1000.0)
  from (select destination_id, max(started_at_ms + duration_ms) as at_ms from settled group by destination_id) latest
  where dest.id = latest.destination_id
)
select id from moved
`;
