import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import test from 'ava';
import { createWorkflowStarts } from '../../workflow-starts/workflow-starts.ts';
import { CONTAINER_LIFE_MS } from '../../contract/containers/status.ts';
import { defaultPublishWaits } from '../../contract/containers/poll.ts';
import type { CarryContainerInput, StartedContainer } from '../../contract/containers/workflow.ts';
import { containerWorkflowId } from '../../contract/ids.ts';
import type { carryContainer } from '../../workflows/containers/carry-container.ts';
import { eventually } from '../harness/eventually.ts';
import { type FakeActivities, temporalHarness, type TemporalHarness } from '../harness/temporal/temporal.ts';

const pollScheduleMs = [60_000];

function aStart(containerId: string): StartedContainer {
  return {
    containerId,
    channelId: 'ch_00000001',
    workspaceId: 'ws_00000001',
    mediaType: 'IMAGE',
    childCount: 0,
    autoPublish: false,
    expiresAtMs: Date.now() + CONTAINER_LIFE_MS,
    status: 'creating',
  };
}

/** Uses the test's own queue. Later starts find the run and leave it alone. */
async function running({ start, client }: TemporalHarness, container: StartedContainer): Promise<void> {
  const { containerId, childCount, autoPublish, expiresAtMs } = container;
  const input: CarryContainerInput = {
    containerId,
    childCount,
    autoPublish,
    expiresAtMs,
    pollScheduleMs,
    publishWaits: defaultPublishWaits,
    status: 'creating',
    resumed: false,
  };
  await start<typeof carryContainer>('carryContainer', { args: [input], workflowId: containerWorkflowId(containerId) });
  await eventually(async () => (await startsOf(client).containerProgress(containerId)) !== undefined);
}

const startsOf = (client: Client) =>
  createWorkflowStarts({ client, retryScheduleMs: [], pollScheduleMs, probeDelaysMs: [] }).starts;

const taken: FakeActivities = { createPart: () => Promise.resolve('accepted') };

test('a create waits for its run, which refuses an early publish', async (t) => {
  const harness = await temporalHarness(t, { ...taken, checkContainer: () => Promise.resolve('in_progress') });
  const container = aStart('ctr_startsA1');
  await running(harness, container);
  const starts = startsOf(harness.client);
  t.deepEqual(await starts.createContainer(container), {
    state: 'ended',
    result: 'accepted',
  });
  t.deepEqual(await starts.publishContainer(container), {
    state: 'ended',
    result: 'refused_not_ready',
  });
  // A query gives up sooner than a busy machine answers.
  await eventually(async () => (await starts.containerProgress(container.containerId))?.status === 'in_progress');
});

test('a finished container is published by its run', async (t) => {
  const harness = await temporalHarness(t, {
    ...taken,
    checkContainer: () => Promise.resolve('finished'),
    publishOnce: () => Promise.resolve('published'),
  });
  const container = aStart('ctr_startsA2');
  await running(harness, container);
  const starts = startsOf(harness.client);
  await eventually(async () => (await starts.containerProgress(container.containerId))?.status === 'finished');
  t.deepEqual(await starts.publishContainer(container), {
    state: 'ended',
    result: 'published',
  });
});

test('a container is published by the current run of a reset workflow', async (t) => {
  const harness = await temporalHarness(t, {
    ...taken,
    checkContainer: () => Promise.resolve('finished'),
    publishOnce: () => Promise.resolve('published'),
  });
  const container = aStart('ctr_startsA5');
  await running(harness, container);
  const { client } = harness;
  const starts = startsOf(client);
  const workflowId = containerWorkflowId(container.containerId);
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
    requestId: randomUUID(),
    workflowTaskFinishEventId: 3 as never,
  });
  await eventually(async () => (await starts.containerProgress(container.containerId))?.status === 'finished');
  t.not((await client.workflow.getHandle(workflowId).describe()).runId, runId);

  t.deepEqual(await starts.publishContainer(container), { state: 'ended', result: 'published' });
});

test('every publish of a lost container is refused', async (t) => {
  const harness = await temporalHarness(t, {
    createPart: () => Promise.resolve('lost'),
    readStanding: () => Promise.resolve('unknown'),
  });
  const container = aStart('ctr_startsA3');
  await running(harness, container);
  const starts = startsOf(harness.client);
  t.deepEqual(await starts.createContainer(container), { state: 'ended', result: 'lost' });
  t.deepEqual(await starts.publishContainer(container), {
    state: 'ended',
    result: 'refused_ended',
  });
});

test('starts and queries fail cleanly while Temporal is unreachable', async (t) => {
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  t.teardown(() => connection.close());
  const starts = startsOf(new Client({ connection }));
  const container = aStart('ctr_startsA4');
  t.is(await starts.containerProgress('ctr_startsA4'), undefined);
  t.is((await starts.createContainer(container)).state, 'not_started');
  t.is((await starts.publishContainer(container)).state, 'not_started');
});
