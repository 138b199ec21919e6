import type { Client } from '@temporalio/client';
import type { Knex } from 'knex';
import { finalContainerStatuses } from '../contract/containers/status.ts';
import { containerWorkflowStart } from '../contract/containers/workflow.ts';
import { containerIdOfWorkflow } from '../contract/ids.ts';
import { type ContainerRecord, listOverdueContainers, loadContainer } from '../db/containers/records.ts';
import { keywordAttributes } from '../workflow-starts/keyword-attributes.ts';
import type { Log } from '../process/log.ts';
import type { carryContainer } from '../workflows/containers/carry-container.ts';
import { createListAbandoned } from './abandoned-runs.ts';

const CALL_TIMEOUT_MS = 5_000;
/** Longer than the longest check. */
const GRACE_MS = 60_000;
const MAX_OVERDUE = 200;
/** Two rounds plus the delay of the visibility store. */
const LOOK_BACK_MS = 60_000;

export interface ContainerAdoptionDeps {
  readonly client: Client;
  readonly db: Knex;
  readonly pollScheduleMs: readonly number[];
  readonly log: Log;
}

/**
 * Restarts the workflows of containers whose run was terminated or whose check is long overdue, for example after a
 * crash of the API. The run reads the state first, so nothing is sent twice.
 */
export function createContainerAdoption(deps: ContainerAdoptionDeps): () => Promise<void> {
  const { client, db, log } = deps;
  const listAbandoned = createListAbandoned(client, { workflowType: 'carryContainer', idOf: containerIdOfWorkflow });
  return async () => {
    const overdue = await listOverdueContainers(db, { graceMs: GRACE_MS, limit: MAX_OVERDUE });
    const abandoned: ContainerRecord[] = [];
    for (const containerId of await listAbandoned(new Date(Date.now() - LOOK_BACK_MS))) {
      const container = await loadContainer(db, containerId);
      if (container && !finalContainerStatuses.includes(container.status)) abandoned.push(container);
    }
    for (const container of [...overdue, ...abandoned]) {
      await resume(deps, container);
      log.info('container.adopted', { containerId: container.publicId, status: container.status });
    }
  };
}

async function resume({ client, pollScheduleMs }: ContainerAdoptionDeps, container: ContainerRecord): Promise<void> {
  const { workflowType, keywords, ...start } = containerWorkflowStart(
    {
      containerId: container.publicId,
      channelId: container.channelPublicId,
      workspaceId: container.workspacePublicId,
      mediaType: container.mediaType,
      childCount: container.childCount,
      autoPublish: container.autoPublish,
      expiresAtMs: container.expiresAt.getTime(),
      status: container.status,
    },
    { pollScheduleMs, resumed: true },
  );
  await client.connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
    client.workflow.start<typeof carryContainer>(workflowType, {
      ...start,
      typedSearchAttributes: keywordAttributes(keywords),
    }),
  );
}
