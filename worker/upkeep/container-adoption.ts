import type { Client } from '@temporalio/client';
import type { Knex } from 'knex';
import { finalContainerStatuses } from '../../contract/containers/status.ts';
import { containerIdOfWorkflow } from '../../contract/ids.ts';
import {
  type ContainerRecord,
  containerStartOf,
  listOverdueContainers,
  loadContainer,
} from '../../db/containers/records.ts';
import type { Log } from '../../process/log.ts';
import type { WorkerStarts } from '../../workflow-starts/worker-starts.ts';
import { createListAbandoned } from './abandoned-runs.ts';

/** Longer than the longest check. */
const GRACE_MS = 60_000;
const MAX_OVERDUE = 200;
/** Two rounds plus the delay of the visibility store. */
const LOOK_BACK_MS = 60_000;

export interface ContainerAdoptionDeps {
  readonly client: Client;
  readonly db: Knex;
  readonly resumeContainer: WorkerStarts['resumeContainer'];
  readonly log: Log;
}

/**
 * Restarts the workflows of containers whose run was terminated or whose check is long overdue, for example after a
 * crash of the API. The run reads the state first, so nothing is sent twice.
 */
export function createContainerAdoption(deps: ContainerAdoptionDeps): () => Promise<void> {
  const { client, db, resumeContainer, log } = deps;
  const listAbandoned = createListAbandoned(client, { workflowType: 'carryContainer', idOf: containerIdOfWorkflow });
  return async () => {
    const overdue = await listOverdueContainers(db, { graceMs: GRACE_MS, limit: MAX_OVERDUE });
    const abandoned: ContainerRecord[] = [];
    for (const containerId of await listAbandoned(new Date(Date.now() - LOOK_BACK_MS))) {
      const container = await loadContainer(db, containerId);
      if (container && !finalContainerStatuses.includes(container.status)) abandoned.push(container);
    }
    for (const container of [...overdue, ...abandoned]) {
      await resumeContainer(containerStartOf(container));
      log.info('container.adopted', { containerId: container.publicId, status: container.status });
    }
  };
}
