import type { WorkflowHandle } from '@temporalio/client';
import { defaultPublishWaits } from '../../../contract/containers/poll.ts';
import type { CarryContainerInput } from '../../../contract/containers/workflow.ts';
import { containerProgress, publishContainer } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { LONG_MS, type Scenarios, untilCompleted } from './scenario.ts';

function container(others: Partial<CarryContainerInput> = {}): readonly [CarryContainerInput] {
  return [
    {
      containerId: 'ctr_00000001',
      childCount: 0,
      autoPublish: false,
      expiresAtMs: Date.now() + LONG_MS,
      pollScheduleMs: [10],
      publishWaits: { ...defaultPublishWaits, unpublishedMs: [10, 10], unreadableMs: [10] },
      status: 'creating',
      resumed: false,
      ...others,
    },
  ];
}

async function publish(handle: WorkflowHandle): Promise<void> {
  await eventually(async () => (await handle.query(containerProgress)).status === 'finished');
  await handle.executeUpdate(publishContainer);
}

export const containerScenarios: Scenarios = {
  carryContainer: {
    args: container(),
    activities: {
      createPart: ['accepted'],
      checkContainer: ['in_progress', 'unreadable', 'finished'],
      publishOnce: ['quota_exceeded', 'published'],
    },
    act: async (handle) => {
      await publish(handle);
      await publish(handle);
    },
  },
  'carryContainer.carousel': {
    args: container({ childCount: 3, autoPublish: true }),
    activities: {
      createPart: ['accepted'],
      checkContainer: ['in_progress', 'finished', 'in_progress', 'finished'],
      publishOnce: ['published'],
    },
  },
  'carryContainer.lostCreate': {
    args: container({ expiresAtMs: Date.now() + 3_000 }),
    activities: {
      createPart: ['lost'],
      readStanding: ['unknown'],
      endContainer: ['expired'],
    },
  },
  'carryContainer.lostPublish': {
    args: container({ status: 'finished', resumed: true }),
    activities: {
      readStanding: ['finished'],
      publishOnce: ['lost'],
      resolvePublish: ['unpublished', 'unpublished', 'unpublished', 'unreadable', 'published'],
      releasePublish: [undefined],
    },
    act: async (handle) => {
      await publish(handle);
      await publish(handle);
    },
  },
  'carryContainer.cancelled': {
    args: container({ pollScheduleMs: [LONG_MS] }),
    activities: {
      createPart: ['accepted'],
      checkContainer: ['in_progress'],
      endContainer: ['error'],
    },
    act: async (handle) => {
      await untilCompleted(handle, 2);
      await handle.cancel();
    },
  },
};
