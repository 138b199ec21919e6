import type { Client } from '@temporalio/client';
import type { Knex } from 'knex';
import { replayIdOfWorkflow } from '../../contract/ids.ts';
import { findReplay, listStaleReplays, replayStartOf } from '../../db/replays/replays.ts';
import type { Log } from '../../process/log.ts';
import type { WorkerStarts } from '../../workflow-starts/worker-starts.ts';
import { createListAbandoned } from './abandoned-runs.ts';

/** Longer than the recovery of a lost worker's workflow, and than its wait for live traffic. */
const QUIET_MS = 60_000;
const MAX_STALE = 100;
/** Several rounds plus the delay of the visibility store. */
const LOOK_BACK_MS = 60_000;

export interface ReplayAdoptionDeps {
  readonly client: Client;
  readonly db: Knex;
  readonly signalReplay: WorkerStarts['signalReplay'];
  readonly log: Log;
}

/**
 * Restarts the workflows of replays whose run was terminated or that make no progress, for example after an outage of
 * Temporal. An existing run only checks again; nothing is sent twice.
 */
export function createReplayAdoption({ client, db, signalReplay, log }: ReplayAdoptionDeps): () => Promise<void> {
  const listAbandoned = createListAbandoned(client, { workflowType: 'replayDeliveries', idOf: replayIdOfWorkflow });
  return async () => {
    const found = await listStaleReplays(db, { quietMs: QUIET_MS, limit: MAX_STALE });
    for (const replayId of await listAbandoned(new Date(Date.now() - LOOK_BACK_MS))) {
      const replay = await findReplay(db, replayId);
      if (replay?.runEndedAt === null) found.push(replay);
    }
    for (const replay of found) {
      await signalReplay(replayStartOf(replay));
      log.info('replay.adopted', { replayId: replay.publicId, status: replay.status });
    }
  };
}
