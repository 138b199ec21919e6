import { Client, Connection } from '@temporalio/client';
import test from 'ava';
import { queryContainer, startCreateContainer, startPublishContainer } from '../../workflow-starts/carry-container.ts';
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

/** A run that is there already, on the test's own queue: whoever starts it finds it and leaves it alone. */
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
  await eventually(async () => (await queryContainer(client, containerId)) !== undefined);
}

const taken: FakeActivities = { createPart: () => Promise.resolve('accepted') };

test('a create waits for its run, and a publish that comes too early is refused by it', async (t) => {
  const harness = await temporalHarness(t, { ...taken, checkContainer: () => Promise.resolve('in_progress') });
  const container = aStart('ctr_startsA1');
  await running(harness, container);
  const { client } = harness;
  t.deepEqual(await startCreateContainer(client, { container, pollScheduleMs }), {
    state: 'ended',
    result: 'accepted',
  });
  t.deepEqual(await startPublishContainer(client, { container, pollScheduleMs }), {
    state: 'ended',
    result: 'refused_not_ready',
  });
  t.is((await queryContainer(client, container.containerId))?.status, 'in_progress');
});

test('a finished container is published by its run', async (t) => {
  const harness = await temporalHarness(t, {
    ...taken,
    checkContainer: () => Promise.resolve('finished'),
    publishOnce: () => Promise.resolve('published'),
  });
  const container = aStart('ctr_startsA2');
  await running(harness, container);
  const { client } = harness;
  await eventually(async () => (await queryContainer(client, container.containerId))?.status === 'finished');
  t.deepEqual(await startPublishContainer(client, { container, pollScheduleMs }), {
    state: 'ended',
    result: 'published',
  });
});

test('a container that nothing is known of is refused for good', async (t) => {
  const harness = await temporalHarness(t, {
    createPart: () => Promise.resolve('lost'),
    readStanding: () => Promise.resolve('unknown'),
  });
  const container = aStart('ctr_startsA3');
  await running(harness, container);
  const { client } = harness;
  t.deepEqual(await startCreateContainer(client, { container, pollScheduleMs }), { state: 'ended', result: 'lost' });
  t.deepEqual(await startPublishContainer(client, { container, pollScheduleMs }), {
    state: 'ended',
    result: 'refused_ended',
  });
});

test('while Temporal is away nothing is started, and a query has no answer', async (t) => {
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  t.teardown(() => connection.close());
  const client = new Client({ connection });
  const start = { container: aStart('ctr_startsA4'), pollScheduleMs };
  t.is(await queryContainer(client, 'ctr_startsA4'), undefined);
  t.is((await startCreateContainer(client, start)).state, 'not_started');
  t.is((await startPublishContainer(client, start)).state, 'not_started');
});
