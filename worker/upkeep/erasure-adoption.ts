import type { Knex } from 'knex';
import { listStaleErasures } from '../../db/erasures/erasures.ts';
import type { WorkerStarts } from '../../workflow-starts/worker-starts.ts';

/** Longer than a slice and the wait between two. */
const QUIET_MS = 30_000;
const MAX_STALE = 100;

export interface ErasureAdoptionDeps {
  readonly db: Knex;
  readonly startErasure: WorkerStarts['startErasure'];
}

/** Starts the workflows of new erasures, and of those without progress. A running workflow is left alone. */
export function createErasureAdoption({ db, startErasure }: ErasureAdoptionDeps): () => Promise<void> {
  return async () => {
    for (const erasureId of await listStaleErasures(db, { quietMs: QUIET_MS, limit: MAX_STALE })) {
      await startErasure({ erasureId });
    }
  };
}
