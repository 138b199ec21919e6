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
import { firstDeliverySince, firstEventSince } from '../../db/deliveries/id-ranges.ts';
import type { Log } from '../../process/log.ts';

export type InvariantActivities = ReturnType<typeof createInvariantActivities>;

export interface InvariantActivityDeps {
  readonly db: Knex;
  readonly idKey: IdKey;
  readonly settings: { readonly scheduleMs: readonly number[] };
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** The daily interval plus an hour for a late start. */
const BETWEEN_CHECKS_MS = 25 * 3_600_000;
const SAMPLES = 10;
const PAUSE_MS = 5;

type Violations = Record<InvariantRule, { count: number; samples: string[] }>;

export function createInvariantActivities({ db, idKey, settings, stopping, log }: InvariantActivityDeps) {
  const scheduleMs = wholeScheduleMs(settings.scheduleMs);
  // A delivery can change for as long as its retry schedule lasts.
  const lookBackMs = scheduleMs + BETWEEN_CHECKS_MS;
  const rules = { scheduleLength: settings.scheduleMs.length, scheduleMs, lookBackMs };
  return {
    /** A repeat starts over and replaces the stored result. */
    async checkInvariants({ startedAtMs }: CheckInvariants): Promise<InvariantsResult> {
      const found = violationsOf(() => ({ count: 0, samples: [] })) as Violations;
      const since = new Date(startedAtMs - lookBackMs);
      const from = {
        events: [(await firstEventSince(db, since)) - 1],
        deliveries: [(await firstDeliverySince(db, since)) - 1],
      };
      const counts = { events: 0, deliveries: 0 };
      for (const part of Object.keys(invariantParts) as InvariantPart[]) {
        const isCounted = part === 'events' || part === 'deliveries';
        const lookedCount = await checkPart(part, { found, from: isCounted ? from[part] : [-1] });
        if (isCounted) counts[part] = lookedCount;
      }
      const result = { eventCount: counts.events, deliveryCount: counts.deliveries };
      await recordInvariantRun(db, { startedAt: new Date(startedAtMs), ...result, violations: found });
      const violationCount = Object.values(found).reduce((sum, { count }) => sum + count, 0);
      logResult(found, { ...result, violationCount });
      return { ...result, violationCount };
    },
  };

  async function checkPart(part: InvariantPart, { found, from }: PartCheck): Promise<number> {
    let lookedCount = 0;
    for (let next: readonly number[] | undefined = from; next;) {
      const beganMs = performance.now();
      const looked = await findBrokenInvariants(db, { part, from: next, settings: rules });
      looked.broken.forEach((broken) => addViolation(found, broken));
      lookedCount += looked.lookedCount;
      next = looked.next;
      heartbeatOrThrow();
      if (next) await sleep(Math.max(PAUSE_MS, performance.now() - beganMs));
    }
    return lookedCount;
  }

  /** Throws on cancellation and shutdown, so that another worker repeats the activity. */
  function heartbeatOrThrow(): void {
    const context = Context.current();
    context.heartbeat();
    context.cancellationSignal.throwIfAborted();
    if (stopping.aborted) throw ApplicationFailure.retryable('The worker is stopping', failureTypes.workerStopping);
  }

  function addViolation(found: Violations, broken: BrokenInvariant): void {
    const violations = found[broken.rule];
    violations.count++;
    if (violations.samples.length >= SAMPLES) return;
    violations.samples.push(broken.kind === 'other' ? broken.id : sequencedId(idKey, broken.kind, broken.number));
  }

  function logResult(found: Violations, result: InvariantsResult): void {
    for (const [rule, { count, samples }] of Object.entries(found)) {
      if (count > 0) log.error('invariant.broken', { rule, count, samples });
    }
    log.info('invariants.checked', { ...result });
  }
}

interface PartCheck {
  readonly found: Violations;
  readonly from: readonly number[];
}

export interface CheckInvariants {
  readonly startedAtMs: number;
}
