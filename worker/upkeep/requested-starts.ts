import type { Client } from '@temporalio/client';
import type { Knex } from 'knex';
import { DIGEST_INTERVAL_FACTOR } from '../../contract/alerts/digest.ts';
import { finalContainerStatuses } from '../../contract/containers/status.ts';
import { containerIdOfWorkflow, replayIdOfWorkflow, scheduledIdOfWorkflow } from '../../contract/ids.ts';
import { findRefresh } from '../../db/channels/credentials.ts';
import { containerStartOf, loadContainer } from '../../db/containers/records.ts';
import { type RequestedType, requestStarts } from '../../db/core/request-start.ts';
import { findScheduledStart } from '../../db/scheduled/due.ts';
import { findReplay, replayStartOf } from '../../db/replays/replays.ts';
import { retryRollout } from '../../db/webhooks/rollouts.ts';
import { findRolloutStart } from '../../db/webhooks/rollout-runs.ts';
import {
  type AdoptedType,
  adoptedTypes,
  claimStarts,
  type ClaimedStart,
  deleteStart,
  requestEach,
  requestOverdue,
} from '../../db/workflow-starts/requested-starts.ts';
import type { Log } from '../../process/log.ts';
import type { WorkerStarts } from '../../workflow-starts/worker-starts.ts';
import type { StartedType, StartInput } from '../../workflows/workflow-types.ts';
import { createListAbandoned } from './abandoned-runs.ts';

interface RequestedStartDeps {
  readonly db: Knex;
  readonly starts: Pick<WorkerStarts, 'start' | 'signalReplay' | 'signalScheduled'>;
  readonly credentialRefreshMs: number;
  /** How long alerts are gathered before an email. */
  readonly alertGatherMs: number;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** As many starts are under way at once. */
const BATCH_SIZE = 50;
/** A credential that is still due by then gets another workflow, unless one runs. */
const REFRESH_AGAIN_MS = 600_000;

/** Starts the workflow of a row, or joins the one that runs. Returns false if the row needs none any longer. */
type StartOf = (subjectId: string) => Promise<boolean>;

/** Starts the workflows that committed rows ask for. All of it may run twice. */
export function createRequestedStarts(deps: RequestedStartDeps): () => Promise<void> {
  const { db, stopping, log } = deps;
  const startOf = startsByType(deps);
  const types = Object.keys(startOf);
  return async () => {
    let count: number;
    const failures: unknown[] = [];
    do {
      const claimed = await claimStarts(db, { types, limit: BATCH_SIZE });
      count = claimed.length;
      const started = await Promise.allSettled(claimed.map((request) => start(request)));
      const failed = started.filter((one) => one.status === 'rejected');
      failures.push(...failed.map(({ reason }) => reason));
      if (failed.length === count) break; // Temporal or the database is away
    } while (count === BATCH_SIZE && !stopping.aborted);
    if (failures.length > 0) throw failures[0];
  };

  async function start({ id, type, subjectId }: ClaimedStart): Promise<void> {
    const isStarted = await startOf[type](subjectId);
    await deleteStart(db, id);
    if (isStarted) log.info('workflow.started', { type, subjectId });
  }
}

function startsByType(deps: RequestedStartDeps): Readonly<Record<RequestedType, StartOf>> {
  const { db, starts, credentialRefreshMs: withinMs, alertGatherMs } = deps;
  const start: <Name extends StartedType>(name: Name, input: StartInput<Name>) => Promise<true> = (name, input) =>
    starts.start(name, input).then(() => true);
  return {
    alertDigest: (organizationId) =>
      start('alertDigest', { organizationId, intervalMs: alertGatherMs * DIGEST_INTERVAL_FACTOR }),
    carryContainer: async (publicId) => {
      const container = await loadContainer(db, publicId);
      if (!container || finalContainerStatuses.includes(container.status)) return false;
      return await start('carryContainer', { container: containerStartOf(container), resumed: true });
    },
    carryScheduled: async (publicId) => {
      const scheduled = await findScheduledStart(db, publicId);
      if (!scheduled) return false;
      await starts.signalScheduled(scheduled);
      return true;
    },
    eraseData: (erasureId) => start('eraseData', { erasureId }),
    refreshCredential: async (credentialId) => {
      const workspaceId = await findRefresh(db, { publicId: credentialId, withinMs });
      if (workspaceId === undefined) return false;
      await start('refreshCredential', { credentialId, workspaceId });
      await requestStarts(db, { type: 'refreshCredential', subjectIds: [credentialId], delayMs: REFRESH_AGAIN_MS });
      return true;
    },
    replayDeliveries: async (publicId) => {
      const replay = await findReplay(db, publicId);
      if (replay?.runEndedAt !== null) return false;
      await starts.signalReplay(replayStartOf(replay));
      return true;
    },
    rollOutWebhook: async (publicId) => {
      if (await retryRollout(db, publicId)) return false; // the retry requests its own start
      const rollout = await findRolloutStart(db, publicId);
      return rollout !== undefined && (await start('rollOutWebhook', rollout));
    },
    sendNotification: (notificationId) => start('sendNotification', { notificationId }),
  };
}

/** Several turns plus the delay of the visibility store. */
const LOOK_BACK_MS = 120_000;

interface AdoptRunsDeps {
  readonly client: Client;
  readonly db: Knex;
  readonly credentialRefreshMs: number;
  readonly log: Log;
}

/**
 * Requests the start of workflows that make no progress, or whose run was terminated, for example by a person. Each
 * run reads its row first, so nothing is sent twice.
 */
export function createAdoptRuns({ client, db, credentialRefreshMs, log }: AdoptRunsDeps): () => Promise<void> {
  const abandoned = [
    { type: 'carryContainer', idOf: containerIdOfWorkflow },
    { type: 'carryScheduled', idOf: scheduledIdOfWorkflow },
    { type: 'replayDeliveries', idOf: replayIdOfWorkflow },
  ] as const;
  const lists = abandoned.map(({ type, idOf }) => ({
    type,
    list: createListAbandoned(client, { workflowType: type, idOf }),
  }));
  return async () => {
    const failures: unknown[] = [];
    // One type that fails does not stop those behind it.
    const noted = (error: unknown): void => void failures.push(error);
    for (const type of adoptedTypes) await adoptOverdue(type).catch(noted);
    for (const each of lists) await adoptAbandoned(each).catch(noted);
    if (failures.length > 0) throw failures[0];
  };

  async function adoptOverdue(type: AdoptedType): Promise<void> {
    const subjectIds = await requestOverdue(db, { type, credentialRefreshMs });
    for (const subjectId of subjectIds) log.info('workflow.adopted', { type, subjectId });
  }

  async function adoptAbandoned({ type, list }: (typeof lists)[number]): Promise<void> {
    await requestEach(db, { type, subjectIds: await list(new Date(Date.now() - LOOK_BACK_MS)) });
  }
}
