import type { Client } from '@temporalio/client';
import type { Adoption } from '../activities/pump/adoption.ts';
import { adoptRollouts } from '../activities/webhooks/adopt-rollouts.ts';
import { eraseEndedContainers } from '../db/containers/erase-ended.ts';
import { deleteDeadWorkers } from '../db/ledger/shards/fleet.ts';
import { deleteOverdueHandOvers } from '../db/ledger/shards/hand-over.ts';
import { countUsage } from '../db/usage/count-usage.ts';
import { deleteLostBuilds } from '../db/upkeep/worker-builds.ts';
import { retryRollouts } from '../db/webhooks/retry-rollouts.ts';
import { createSchedules } from '../workflow-starts/schedules.ts';
import type { WorkerStarts } from '../workflow-starts/worker-starts.ts';
import { createContainerAdoption } from './upkeep/container-adoption.ts';
import type { ActivityParts } from './create-activities.ts';
import type { UpkeepTask } from './upkeep/lead-upkeep.ts';
import { createAlertCallStarts, createNoticeStarts } from './upkeep/notice-starts.ts';
import { createErasureAdoption } from './upkeep/erasure-adoption.ts';
import { createRefreshStarts } from './upkeep/refresh-starts.ts';
import { createReplayAdoption } from './upkeep/replay-adoption.ts';
import { createScheduledPostStarts } from './upkeep/scheduled-post-starts.ts';
import { createScheduledMessageStarts } from './upkeep/scheduled-message-starts.ts';
import { createShowShards } from './upkeep/show-shards.ts';
import { createReplaceBlocked } from './upkeep/blocked-runs.ts';
import { createAlertWatch } from './upkeep/watch-alerts.ts';

export interface UpkeepParts {
  readonly client: Client;
  readonly starts: WorkerStarts;
  readonly adoption: Adoption;
  readonly parts: Pick<
    ActivityParts,
    'db' | 'pool' | 'credentialRefreshMs' | 'stopping' | 'alertLimits' | 'alertGatherMs' | 'log'
  >;
}

const HOUSEKEEPING_MS = 60_000;
/** At most. Shorter if alerts are gathered for a shorter time. */
const ALERT_MS = 30_000;

/** Starts what is missing in Temporal. All tasks may run twice. */
export function upkeepTasks(upkeep: UpkeepParts): readonly UpkeepTask[] {
  const { client, starts, adoption, parts } = upkeep;
  const { pool, log } = parts;
  return [
    {
      act: createShowShards({ starts, pool }),
      onFailed: (reason) => log.warn('shards.startFailed', { reason }),
    },
    {
      act: adoption.adoptClosed,
      onFailed: (reason) => log.warn('adoption.sweepFailed', { reason }),
    },
    {
      act: createReplaceBlocked({ client, log }),
      everyMs: HOUSEKEEPING_MS,
      onFailed: (reason) => log.warn('workflows.replaceFailed', { reason }),
    },
    ...adoptionTasks(upkeep),
    ...rolloutTasks(upkeep),
    ...scheduledTasks(upkeep),
    alertTask({ ...starts, ...parts }),
    {
      act: () => createSchedules(client),
      everyMs: HOUSEKEEPING_MS,
      onFailed: (reason) => log.warn('schedules.createFailed', { reason }),
    },
    {
      act: () => Promise.all([deleteDeadWorkers(pool), deleteOverdueHandOvers(pool), deleteLostBuilds(pool)]),
      everyMs: HOUSEKEEPING_MS,
      onFailed: (reason) => log.warn('workers.deleteFailed', { reason }),
    },
    {
      // Counts are about three minutes late.
      act: () => countUsage(parts.db, { isTimeUp: () => parts.stopping.aborted }),
      everyMs: HOUSEKEEPING_MS,
      onFailed: (reason) => log.warn('usage.countFailed', { reason }),
    },
    {
      act: () => eraseEndedContainers(parts.db),
      everyMs: HOUSEKEEPING_MS,
      onFailed: (reason) => log.warn('containers.eraseFailed', { reason }),
    },
  ];
}

/** Starts the workflows whose rows have none. */
function adoptionTasks({ client, starts, parts }: UpkeepParts): readonly UpkeepTask[] {
  const { db, log } = parts;
  return [
    {
      act: createContainerAdoption({ ...starts, client, db, log }),
      onFailed: (reason) => log.warn('containers.adoptFailed', { reason }),
    },
    {
      act: createRefreshStarts({ ...starts, ...parts }),
      onFailed: (reason) => log.warn('credentialRefreshes.startFailed', { reason }),
    },
    {
      act: createNoticeStarts({ ...starts, db }),
      onFailed: (reason) => log.warn('connectionNotices.startFailed', { reason }),
    },
    {
      act: createAlertCallStarts({ ...starts, db }),
      onFailed: (reason) => log.warn('alertCalls.startFailed', { reason }),
    },
    {
      act: createReplayAdoption({ ...starts, client, db, log }),
      onFailed: (reason) => log.warn('replays.adoptFailed', { reason }),
    },
    {
      act: createErasureAdoption({ ...starts, db }),
      onFailed: (reason) => log.warn('erasures.startFailed', { reason }),
    },
  ];
}

function rolloutTasks({ starts, parts }: Pick<UpkeepParts, 'starts' | 'parts'>): readonly UpkeepTask[] {
  const { db, log } = parts;
  return [
    {
      act: () => adoptRollouts({ ...starts, db, log }),
      onFailed: (reason) => log.warn('rollouts.adoptFailed', { reason }),
    },
    {
      act: () => retryRollouts(db),
      onFailed: (reason) => log.warn('rollouts.retryFailed', { reason }),
    },
  ];
}

function scheduledTasks({ starts, parts }: Pick<UpkeepParts, 'starts' | 'parts'>): readonly UpkeepTask[] {
  const { log } = parts;
  return [
    {
      act: createScheduledMessageStarts({ ...starts, ...parts }),
      onFailed: (reason) => log.warn('scheduledMessages.startFailed', { reason }),
    },
    {
      act: createScheduledPostStarts({ ...starts, ...parts }),
      onFailed: (reason) => log.warn('scheduledPosts.startFailed', { reason }),
    },
  ];
}

function alertTask(deps: Parameters<typeof createAlertWatch>[0]): UpkeepTask {
  return {
    act: createAlertWatch(deps),
    everyMs: Math.min(ALERT_MS, deps.alertGatherMs),
    onFailed: (reason) => deps.log.warn('alerts.reconcileFailed', { reason }),
  };
}
