import type { Client } from '@temporalio/client';
import type { Adoption } from '../activities/pump/adoption.ts';
import { eraseEndedContainers } from '../db/containers/erase-ended.ts';
import { deleteDeadWorkers } from '../db/ledger/shards/fleet.ts';
import { deleteOverdueHandOvers } from '../db/ledger/shards/hand-over.ts';
import { countUsage } from '../db/usage/count-usage.ts';
import { deleteLostBuilds } from '../db/upkeep/worker-builds.ts';
import { createSchedules } from '../workflow-starts/schedules.ts';
import type { WorkerStarts } from '../workflow-starts/worker-starts.ts';
import type { ActivityParts } from './create-activities.ts';
import type { UpkeepTask } from './upkeep/lead-upkeep.ts';
import { createAdoptRuns, createRequestedStarts } from './upkeep/requested-starts.ts';
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
    {
      act: createAdoptRuns({ client, ...parts }),
      onFailed: (reason) => log.warn('workflows.adoptFailed', { reason }),
    },
    {
      act: createRequestedStarts({ starts, ...parts }),
      onFailed: (reason) => log.warn('workflows.startFailed', { reason }),
    },
    alertTask(parts),
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

function alertTask(deps: Parameters<typeof createAlertWatch>[0]): UpkeepTask {
  return {
    act: createAlertWatch(deps),
    everyMs: Math.min(ALERT_MS, deps.alertGatherMs),
    onFailed: (reason) => deps.log.warn('alerts.reconcileFailed', { reason }),
  };
}
