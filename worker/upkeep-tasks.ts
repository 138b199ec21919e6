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
import { createReplaceBlocked } from './upkeep/blocked-runs.ts';
import type { Knex } from 'knex';
import { DIGEST_INTERVAL_FACTOR, MAIL_LIFE_MS } from '../contract/alerts/digest.ts';
import type { CauseLimits } from '../db/alerts/causes.ts';
import { listDueDigests } from '../db/alerts/digests.ts';
import { giveUpMails } from '../db/alerts/mails.ts';
import { reconcileAlerts } from '../db/alerts/reconcile-alerts.ts';
import { requestEach } from '../db/workflow-starts/requested-starts.ts';
import type { Log } from '../process/log.ts';

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
/** Shorter than the time after which a row counts as overdue. A round plans seven statements and lists runs three times. */
const ADOPT_MS = 15_000;
/** At most. Shorter if alerts are gathered for a shorter time. */
const ALERT_MS = 30_000;

/** Starts what is missing in Temporal. All tasks may run twice. */
export function upkeepTasks(upkeep: UpkeepParts): readonly UpkeepTask[] {
  const { client, starts, adoption, parts } = upkeep;
  const { pool, log } = parts;
  return [
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
      everyMs: ADOPT_MS,
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

interface AlertWatchDeps {
  readonly db: Knex;
  readonly alertLimits: CauseLimits;
  readonly alertGatherMs: number;
  readonly log: Log;
}

/** Of one round, for each of the two parts. The next round starts the rest. */
const MAX_DIGESTS = 200;

/**
 * Derives alerts from the database, and requests the workflows that announce them, so that nothing is lost if a worker
 * is killed at any point.
 */
function createAlertWatch(deps: AlertWatchDeps): () => Promise<void> {
  const { db, alertLimits, alertGatherMs: gatherMs, log } = deps;
  return async () => {
    const { openedCount, resolvedCount } = await reconcileAlerts(db, alertLimits);
    if (openedCount + resolvedCount > 0) log.info('alerts.reconciled', { openedCount, resolvedCount });
    const givenUpCount = await giveUpMails(db, { lifeMs: MAIL_LIFE_MS });
    if (givenUpCount > 0) log.error('alertMail.expired', { mailCount: givenUpCount });
    const intervalMs = gatherMs * DIGEST_INTERVAL_FACTOR;
    const due = await listDueDigests(db, { gatherMs, intervalMs, limit: MAX_DIGESTS });
    await requestEach(db, { type: 'alertDigest', subjectIds: due });
  };
}
