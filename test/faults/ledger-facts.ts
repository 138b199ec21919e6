import type { Knex } from 'knex';
import { wholeScheduleMs } from '../../contract/deliveries/retry-schedule.ts';
import {
  type BrokenInvariant,
  findBrokenInvariants,
  type InvariantPart,
  invariantParts,
} from '../../db/upkeep/broken-invariants.ts';

export interface DeliveryFact {
  readonly messageId: string;
  readonly destinationId: number;
  readonly status: string;
  readonly failedInSchedule: number;
  /** True if the whole schedule has had time to run. */
  readonly isOld: boolean;
}

export interface AttemptFact {
  readonly destinationId: number;
  /** The outcome, then the status or the error. */
  readonly attempt: string;
  readonly count: number;
}

export interface LedgerFacts {
  readonly eventCount: number;
  readonly deliveries: readonly DeliveryFact[];
  readonly attempts: readonly AttemptFact[];
  readonly longestBodyBytes: number;
  readonly broken: readonly BrokenInvariant[];
}

export async function countWaiting(db: Knex): Promise<number> {
  const { rows } = await db.raw(`select count(*) as waiting from deliveries where status in ('pending', 'retrying')`);
  return Number(rows[0].waiting);
}

export async function readLedger(db: Knex, { scheduleMs }: { scheduleMs: readonly number[] }): Promise<LedgerFacts> {
  const events = await db.raw('select count(*) as count from events');
  const deliveries = await db.raw<{ rows: DeliveryFact[] }>(
    `select e.platform_message_id as "messageId", d.destination_id as "destinationId", d.status,
       d.failed_in_schedule as "failedInSchedule",
       coalesce(d.restarted_at, d.created_at) < now() - ? * interval '1 millisecond' as "isOld"
     from deliveries d join events e on e.id = d.event_id`,
    [wholeScheduleMs(scheduleMs)],
  );
  const attempts = await db.raw<{ rows: AttemptFact[] }>(
    `select d.destination_id as "destinationId", a.outcome || ' ' || coalesce(a.status::text, a.error) as attempt, count(*)::int as count
     from attempts a join deliveries d on d.id = a.delivery_id group by 1, 2 order by 1, 2`,
  );
  const longest = await db.raw('select coalesce(max(length(response_body)), 0) as bytes from attempts');
  return {
    eventCount: Number(events.rows[0].count),
    deliveries: deliveries.rows,
    attempts: attempts.rows,
    longestBodyBytes: Number(longest.rows[0].bytes),
    broken: await brokenInvariants(db, scheduleMs),
  };
}

export async function brokenInvariants(
  db: Knex,
  scheduleMs: readonly number[],
  lookBackMs = wholeScheduleMs(scheduleMs),
): Promise<BrokenInvariant[]> {
  const wholeMs = wholeScheduleMs(scheduleMs);
  const settings = { scheduleLength: scheduleMs.length, scheduleMs: wholeMs, lookBackMs };
  const broken: BrokenInvariant[] = [];
  // `Object.keys` loses the type of the table's keys.
  for (const part of Object.keys(invariantParts) as InvariantPart[]) {
    for (let from: readonly number[] | undefined = [-1]; from;) {
      const looked = await findBrokenInvariants(db, { part, from, settings });
      broken.push(...looked.broken);
      from = looked.next;
    }
  }
  return broken;
}
