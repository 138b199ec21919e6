import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Knex } from 'knex';
import { LISTENER_KEPT_DAYS } from '../../contract/listeners/bounds.ts';
import type { RetentionTask } from '../../contract/upkeep/retention.ts';
import { deleteOldEvents, type OldRows, type RemovedRows } from '../../db/ledger/upkeep/delete-old-events.ts';
import { type IdRange, listPeriods, rangesLeftToDrop } from '../../db/ledger/upkeep/old-periods.ts';
import { deleteOldEventKeys } from '../../db/upkeep/delete-old-event-keys.ts';
import { deleteOldReplayItems, deleteOldRows } from '../../db/upkeep/delete-old-rows.ts';
import { endUnreadListeners } from '../../db/ledger/listeners/end-unread-listeners.ts';
import { rotateEventKeys } from '../../db/upkeep/rotate-event-keys.ts';
import { recordSweep, wasSweptWithin } from '../../db/upkeep/retention-sweeps.ts';
import type { Log } from '../../process/log.ts';
import { type PrepareLedger, prepareLedger } from './prepare-ledger.ts';

export type RetentionActivities = ReturnType<typeof createRetentionActivities>;

export interface RetentionSettings {
  readonly retentionDays: number;
  readonly eventKeyDays: number;
  /** Of entries of the audit log. */
  readonly auditDays: number;
  /** Of the counts by day. */
  readonly usageMonths: number;
}

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
    if (task === 'event_keys') await rotateEventKeys(db, { keptMs: daysOf(task) * DAY_MS });
    return task === 'events' ? await prepareLedger({ db, log, age: ageOf(task), ...time }) : 0;
  }

  function ageOf(task: RetentionTask) {
    const retentionMs = daysOf(task) * DAY_MS;
    return { retentionMs, cutoff: new Date(Date.now() - retentionMs) };
  }

  async function skippedBy(task: RetentionTask): Promise<readonly IdRange[]> {
    return task === 'events' ? rangesLeftToDrop(await listPeriods(db), ageOf(task)) : [];
  }

  async function isNotDue(task: RetentionTask): Promise<boolean> {
    return dailyTasks.includes(task) && (await wasSweptWithin(db, { task, withinMs: DAILY_MS }));
  }

  async function removeNext(task: RetentionTask, { before, skipped }: Walk): Promise<RemovedRows> {
    const beganMs = performance.now();
    const { cutoff } = ageOf(task);
    const batch = await removeBatch(task, { position: before.position, cutoff, skipped });
    if (!batch.isDone) await sleep(Math.max(PAUSE_MS, performance.now() - beganMs));
    return { ...batch, removedCount: before.removedCount + batch.removedCount };
  }

  function daysOf(task: RetentionTask): number {
    if (task === 'event_keys') return retention.eventKeyDays;
    return task === 'unread_listeners' ? LISTENER_KEPT_DAYS : retention.retentionDays;
  }

  function removeBatch(task: RetentionTask, old: OldRows): Promise<RemovedRows> {
    if (task === 'events') return deleteOldEvents(db, old);
    if (task === 'event_keys') return deleteOldEventKeys(db, old);
    if (task === 'unread_listeners') return endUnreadListeners(db, old);
    if (task === 'replay_items') return deleteOldReplayItems(db, old);
    return deleteOldRows(db, { ...old, table: task });
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
