import type { Knex } from 'knex';
import type { RolloutStart } from '../../contract/webhooks/rollout.ts';
import { listStaleRollouts } from '../../db/webhooks/rollout-runs.ts';
import type { Log } from '../../process/log.ts';

/** Longer than the longest save and the recovery of a lost worker's workflow. */
const QUIET_MS = 120_000;
/** The API starts a rollout right after its commit; the admin command doesn't. */
const UNSTARTED_MS = 2_000;
const MAX_STALE = 100;

export interface RolloutAdoption {
  readonly db: Knex;
  readonly startRollout: (rollout: RolloutStart) => Promise<void>;
  readonly log: Log;
}

/** Starts the workflows of rollouts that have none. An existing run continues; no channel is settled twice. */
export async function adoptRollouts({ db, startRollout, log }: RolloutAdoption): Promise<void> {
  const stale = { quietMs: QUIET_MS, unstartedMs: UNSTARTED_MS, limit: MAX_STALE };
  for (const rollout of await listStaleRollouts(db, stale)) {
    await startRollout(rollout);
    log.info('rollout.adopted', { rolloutId: rollout.rolloutId });
  }
}
