import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import { type IdKey, sequencedId } from '../../contract/ids.ts';
import type { InvariantRule, InvariantsResult } from '../../contract/upkeep/invariants.ts';
import { wholeScheduleMs } from '../../contract/deliveries/retry-schedule.ts';
import { recordInvariantRun, violationsOf } from '../../db/upkeep/invariant-runs.ts';
import {
  type BrokenInvariant,
  findBrokenInvariants,
  type InvariantPart,
  invariantParts,
} from '../../db/upkeep/broken-invariants.ts';
import { firstDeliverySince, firstEventSince } from '../../db/deliveries/first-delivery-since.ts';
import type { Log } from '../../process/log.ts';

export type InvariantActivities = ReturnType<typeof createInvariantActivities>;

export interface InvariantActivityDeps {
  readonly db: Knex;
  readonly idKey: IdKey;
  readonly settings: { readonly scheduleMs: readonly number[] };
  /** Aborts when this worker shuts down. */
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** A day, and an hour for a check that began late: what the check before has not seen. */
const BETWEEN_CHECKS_MS = 25 * 3_600_000;
const SAMPLES = 10;
const PAUSE_MS = 5;

type Found = Record<InvariantRule, { count: number; samples: string[] }>;

/** Looks through the ledger for rows that are not true. It reads only, and stores what it found at the end. */
export function createInvariantActivities({ db, idKey, settings, stopping, log }: InvariantActivityDeps) {
  const scheduleMs = wholeScheduleMs(settings.scheduleMs);
  // What came before may still have moved, for as long as a delivery may be in its schedule.
  const lookBackMs = scheduleMs + BETWEEN_CHECKS_MS;
  const rules = { scheduleLength: settings.scheduleMs.length, scheduleMs, lookBackMs };
  return {
    /** Checks every rule, in short statements. A repeat begins anew and stores its result in place of the last. */
    async checkInvariants({ startedAtMs }: CheckInvariants): Promise<InvariantsResult> {
      const found: Found = violationsOf(() => ({ count: 0, samples: [] })) as Found;
      const since = new Date(startedAtMs - lookBackMs);
      const from = {
        events: [(await firstEventSince(db, since)) - 1],
        deliveries: [(await firstDeliverySince(db, since)) - 1],
      };
      const counts = { events: 0, deliveries: 0 };
      // The keys are those of the table of parts, which no type can follow through `Object.keys`.
      for (const part of Object.keys(invariantParts) as InvariantPart[]) {
        const isCounted = part === 'events' || part === 'deliveries';
        const lookedCount = await checkPart(part, { found, from: isCounted ? from[part] : [-1] });
        if (isCounted) counts[part] = lookedCount;
      }
      const result = { eventCount: counts.events, deliveryCount: counts.deliveries };
      await recordInvariantRun(db, { startedAt: new Date(startedAtMs), ...result, violations: found });
      const violationCount = Object.values(found).reduce((sum, { count }) => sum + count, 0);
      tell(found, { ...result, violationCount });
      return { ...result, violationCount };
    },
  };

  async function checkPart(part: InvariantPart, { found, from }: PartCheck): Promise<number> {
    let lookedCount = 0;
    for (let next: readonly number[] | undefined = from; next;) {
      const beganMs = performance.now();
      const looked = await findBrokenInvariants(db, { part, from: next, settings: rules });
      looked.broken.forEach((broken) => note(found, broken));
      lookedCount += looked.lookedCount;
      next = looked.next;
      goOn();
      if (next) await sleep(Math.max(PAUSE_MS, performance.now() - beganMs));
    }
    return lookedCount;
  }

  /** Another worker begins anew where this one shuts down. */
  function goOn(): void {
    const context = Context.current();
    context.heartbeat();
    context.cancellationSignal.throwIfAborted();
    if (stopping.aborted) throw ApplicationFailure.retryable('The worker is stopping', failureTypes.workerStopping);
  }

  function note(found: Found, broken: BrokenInvariant): void {
    const violations = found[broken.rule];
    violations.count++;
    if (violations.samples.length >= SAMPLES) return;
    violations.samples.push(broken.kind === 'other' ? broken.id : sequencedId(idKey, broken.kind, broken.number));
  }

  function tell(found: Found, result: InvariantsResult): void {
    for (const [rule, { count, samples }] of Object.entries(found)) {
      if (count > 0) log.error('invariant.broken', { rule, count, samples });
    }
    log.info('invariants.checked', { ...result });
  }
}

interface PartCheck {
  readonly found: Found;
  readonly from: readonly number[];
}

export interface CheckInvariants {
  /** When the check began: names its result. */
  readonly startedAtMs: number;
}
