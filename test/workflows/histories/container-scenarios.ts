import type { WorkflowHandle } from '@temporalio/client';
import { defaultPublishWaits } from '../../../contract/containers/poll.ts';
import type { CarryContainerInput } from '../../../contract/containers/workflow.ts';
import { containerProgress, publishContainer } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { inTurn, LONG_MS, type Scenario, untilCompleted } from './scenario.ts';

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

export const containerScenarios: readonly Scenario[] = [
  {
    name: 'carryContainer',
    workflowType: 'carryContainer',
    args: container(),
    activities: {
      createPart: inTurn(() => 'accepted'),
      checkContainer: inTurn(
        () => 'in_progress',
        () => 'unreadable',
        () => 'finished',
      ),
      publishOnce: inTurn(
        () => 'quota_exceeded',
        () => 'published',
      ),
    },
    act: async (handle) => {
      await publish(handle);
      await publish(handle);
    },
  },
  {
    name: 'carryContainer.carousel',
    workflowType: 'carryContainer',
    args: container({ childCount: 3, autoPublish: true }),
    activities: {
      createPart: inTurn(() => 'accepted'),
      checkContainer: inTurn(
        () => 'in_progress',
        () => 'finished',
        () => 'in_progress',
        () => 'finished',
      ),
      publishOnce: inTurn(() => 'published'),
    },
  },
  {
    name: 'carryContainer.lostCreate',
    workflowType: 'carryContainer',
    args: container({ expiresAtMs: Date.now() + 3_000 }),
    activities: {
      createPart: inTurn(() => 'lost'),
      readStanding: inTurn(() => 'unknown'),
      endContainer: inTurn(() => 'expired'),
    },
  },
  {
    name: 'carryContainer.lostPublish',
    workflowType: 'carryContainer',
    args: container({ status: 'finished', resumed: true }),
    activities: {
      readStanding: inTurn(() => 'finished'),
      publishOnce: inTurn(() => 'lost'),
      resolvePublish: inTurn(
        () => 'unpublished',
        () => 'unpublished',
        () => 'unpublished',
        () => 'unreadable',
        () => 'published',
      ),
      releasePublish: inTurn(() => undefined),
    },
    act: async (handle) => {
      await publish(handle);
      await publish(handle);
    },
  },
  {
    name: 'carryContainer.cancelled',
    workflowType: 'carryContainer',
    args: container({ pollScheduleMs: [LONG_MS] }),
    activities: {
      createPart: inTurn(() => 'accepted'),
      checkContainer: inTurn(() => 'in_progress'),
      endContainer: inTurn(() => 'error'),
    },
    act: async (handle) => {
      await untilCompleted(handle, 2);
      await handle.cancel();
    },
  },
];
