import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Knex } from 'knex';
import type { RetentionTask } from '../../contract/upkeep/retention.ts';
import type { RemovedRows } from '../../db/ledger/upkeep/delete-old-events.ts';
import { type IdRange, listPeriods, rangesLeftToDrop, type PeriodAge } from '../../db/ledger/upkeep/old-periods.ts';
import { cutoffOf, removeExpired, type RetentionSettings } from '../../db/upkeep/expiries.ts';
import { rotateEventKeys } from '../../db/upkeep/rotate-event-keys.ts';
import { recordSweep, wasSweptWithin } from '../../db/upkeep/retention-sweeps.ts';
import type { Log } from '../../process/log.ts';
import { analyzeLedger } from '../../db/upkeep/analyze-ledger.ts';
import { dropOldPeriods } from '../../db/ledger/upkeep/drop-old-periods.ts';
import { keepLedgerPeriods } from '../../db/ledger/upkeep/ledger-periods.ts';

export type RetentionActivities = ReturnType<typeof createRetentionActivities>;

export interface RetentionActivityDeps {
  readonly db: Knex;
  readonly retention: RetentionSettings;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

const DAY_MS = 86_400_000;
/** An activity returns to its workflow after this time. */
const WORK_MS = 60_000;
/** Minimum pause. A pause lasts as long as the batch, which leaves half the time to live traffic. */
const PAUSE_MS = 10;
/** Tasks that scan a whole table run once a day. */
const DAILY_MS = DAY_MS - 2 * 3_600_000;
const dailyTasks: readonly RetentionTask[] = ['event_keys'];

export function createRetentionActivities({ db, retention, stopping, log }: RetentionActivityDeps) {
  return {
    async removeOld({ task, position }: RemoveOld): Promise<RemovedRows> {
      const context = Context.current();
      if (position === 0 && (await isNotDue(task))) return { position, removedCount: 0, isDone: true };
      const untilMs = performance.now() + WORK_MS;
      let progress: RemovedRows = { position, removedCount: 0, isDone: false, ...lastHeartbeat(context) };
      if (position === 0) {
        const heartbeat = (): void => context.heartbeat(progress);
        const droppedCount = await prepare(task, { heartbeat, isTimeUp: () => performance.now() >= untilMs });
        progress = { ...progress, removedCount: progress.removedCount + droppedCount };
      }
      const skipped = await skippedBy(task);
      // At least one batch, or the next call would prepare once more.
      do {
        if (stopping.aborted || context.cancellationSignal.aborted) break;
        progress = await removeNext(task, { before: progress, skipped });
        context.heartbeat(progress);
      } while (!progress.isDone && performance.now() < untilMs);
      if (progress.isDone) await recordSweep(db, task);
      log.info('retention.progressed', { task, ...progress });
      return progress;
    },
  };

  /** Returns the number of events removed with their periods, by the statistics. */
  async function prepare(task: RetentionTask, time: Pick<PrepareLedger, 'heartbeat' | 'isTimeUp'>): Promise<number> {
    if (task === 'event_keys') await rotateEventKeys(db, { keptMs: retention.eventKeyDays * DAY_MS });
    return task === 'events' ? await prepareLedger({ db, log, age: ageOfEvents(), ...time }) : 0;
  }

  function ageOfEvents() {
    return { retentionMs: retention.retentionDays * DAY_MS, cutoff: cutoffOf('events', retention) };
  }

  async function skippedBy(task: RetentionTask): Promise<readonly IdRange[]> {
    return task === 'events' ? rangesLeftToDrop(await listPeriods(db), ageOfEvents()) : [];
  }

  async function isNotDue(task: RetentionTask): Promise<boolean> {
    return dailyTasks.includes(task) && (await wasSweptWithin(db, { task, withinMs: DAILY_MS }));
  }

  async function removeNext(task: RetentionTask, { before, skipped }: Walk): Promise<RemovedRows> {
    const beganMs = performance.now();
    const cutoff = cutoffOf(task, retention);
    const batch = await removeExpired(db, { task, position: before.position, cutoff, skipped });
    if (!batch.isDone) await sleep(Math.max(PAUSE_MS, performance.now() - beganMs));
    return { ...batch, removedCount: before.removedCount + batch.removedCount };
  }
}

interface Walk {
  readonly before: RemovedRows;
  readonly skipped: readonly IdRange[];
}

export interface RemoveOld {
  readonly task: RetentionTask;
  readonly position: number;
}

function lastHeartbeat({ info }: Context): RemovedRows | undefined {
  const details: unknown = info.heartbeatDetails;
  return isProgress(details) ? details : undefined;
}

function isProgress(details: unknown): details is RemovedRows {
  return typeof details === 'object' && details !== null && 'position' in details && 'removedCount' in details;
}

interface PrepareLedger {
  readonly db: Knex;
  readonly log: Log;
  readonly age: PeriodAge;
  readonly heartbeat: () => void;
  /** Returns whether the activity must return. What is left waits for the next run. */
  readonly isTimeUp: () => boolean;
}

/**
 * Creates the partitions of the next periods, drops the old ones and updates the planner's statistics. Returns the
 * number of events dropped, by the statistics.
 */
async function prepareLedger({ db, log, age, heartbeat, isTimeUp }: PrepareLedger): Promise<number> {
  await keepLedgerPeriods(db, age);
  let droppedCount = 0;
  for await (const { keptCount = 0, estimatedCount = 0, ...step } of dropOldPeriods(db, age)) {
    heartbeat();
    log.info('period.dropped', { ...step, keptCount, estimatedCount });
    droppedCount += Math.max(0, estimatedCount - keptCount);
    if (isTimeUp()) return droppedCount;
  }
  for await (const table of analyzeLedger(db)) {
    heartbeat();
    log.info('table.analyzed', { table });
    if (isTimeUp()) break;
  }
  return droppedCount;
}
