import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { Context } from '@temporalio/activity';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { AttemptDelivery } from '../../activities/deliveries/delivery-activities.ts';
import type { ProbeDestination } from '../../activities/destinations/circuit-activities.ts';
import type { PumpReport } from '../../contract/deliveries/pump-report.ts';
import { pumpQueueOf } from '../../contract/task-queues.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import {
  circuitMoved,
  circuitProgress,
  probeNow,
  awaitAcceptance,
  containerProgress,
  publishContainer,
  circuitClosed,
  deliveryProgress,
  retryNow,
  cancelReplay,
  pauseReplay,
  replayMoved,
  replayProgress,
  resumeReplay,
  pumpState,
  rotateChannelToken,
} from '../../workflows/messages/messages.ts';
import { eventually } from '../harness/eventually.ts';
import { patient, quietTemporal } from '../harness/temporal/quiet-temporal.ts';
import { runUntilTeardown } from '../harness/temporal/temporal.ts';
import { pluck } from '../harness/pluck.ts';
import { startQuietTemporal } from '../harness/system/quiet-server.ts';

/**
 * Each workflow that may outlive a history continues as new, on a server that suggests it after a few events, and then
 * receives each of its signals, updates and queries.
 */
const EVENTS = 12;
const DAY_MS = 86_400_000;

const pumped: PumpReport = {
  isServing: true,
  shards: '0–255',
  destinationCount: 1,
  settledPerSecond: 2.5,
  promotedCount: 0,
  heldCount: 3,
  oldestWaitSeconds: 0,
  troubledCount: 0,
  troubled: [],
};

type Activities = Readonly<Record<string, (input: never) => Promise<unknown>>>;

quietTemporal();
let running: ReturnType<typeof startServer> | undefined;

async function startServer() {
  const server = await startQuietTemporal({ settings: { 'limit.historyCount.suggestContinueAsNew': EVENTS } });
  return { server, connection: await NativeConnection.connect({ address: server.address }) };
}

test.after.always(async () => {
  const started = await running;
  await started?.connection.close();
  await started?.server.stop();
});

interface Start {
  readonly type: string;
  readonly args: readonly unknown[];
  readonly activities: Activities;
  /** Optional. Workers whose own queues run the activities too. */
  readonly holders?: readonly string[];
}

/** Returns the workflow without a run, so that calls reach its last one. */
async function start(t: ExecutionContext, { type, args, activities, holders = [] }: Start) {
  const id = randomUUID();
  const { connection } = await (running ??= startServer());
  const client = new Client({ connection });
  const common = { ...patient, connection, activities };
  const bundle = await workflowBundle();
  await runUntilTeardown(t, await Worker.create({ ...common, taskQueue: id, workflowBundle: bundle }));
  for (const holder of holders) {
    await runUntilTeardown(t, await Worker.create({ ...common, taskQueue: pumpQueueOf(holder) }));
  }
  const first = await client.workflow.start(type, { args: [...args], taskQueue: id, workflowId: id });
  const handle = client.workflow.getHandle(id);
  t.teardown(() => handle.terminate().catch(() => undefined));
  return {
    handle,
    /** Resolves when another run than the first one is under way. */
    continued: () => eventually(async () => (await handle.describe()).runId !== first.firstExecutionRunId),
  };
}

async function hasEnded(handle: WorkflowHandle, name: string): Promise<boolean> {
  const { status } = await handle.describe();
  return status.name === name;
}

test('a delivery is attempted on request after it has continued', async (t) => {
  const attempts: AttemptDelivery[] = [];
  let delayMs = 10;
  const { handle, continued } = await start(t, {
    type: 'deliverWebhook',
    args: [{ deliveryId: 'wd_00000001', attemptsMade: 1, failedInSchedule: 1, nextAttemptAtMs: 0, scheduleMs: [10] }],
    activities: {
      checkDelivery: async () => ({ status: 'due' }),
      attemptDelivery: async (attempt: AttemptDelivery) => {
        attempts.push(attempt);
        return { status: 'retrying', description: 'rejected (503)', nextAttemptAtMs: Date.now() + delayMs };
      },
    },
  });
  await continued();
  delayMs = DAY_MS;
  const isResting = async (): Promise<boolean> => {
    const { nextAttemptAt } = await handle.query(deliveryProgress);
    return Date.parse(nextAttemptAt ?? '') > Date.now() + DAY_MS / 2;
  };
  await eventually(isResting);
  for (const signal of [retryNow, circuitClosed, retryNow]) {
    const before = attempts.length;
    await handle.signal(signal);
    await eventually(() => attempts.length === before + 1);
  }
  await eventually(async () => (await handle.query(deliveryProgress)).attemptsMade === attempts.length + 1);
  t.deepEqual(
    attempts.map(({ attempt, failedInSchedule }) => [attempt, failedInSchedule]),
    attempts.map((_attempt, index) => [index + 2, index + 1]),
    'no attempt is lost or counted twice',
  );
});

test('a circuit is probed on request after its workflow has continued', async (t) => {
  const probes: ProbeDestination[] = [];
  let delayMs = 10;
  const { handle, continued } = await start(t, {
    type: 'destinationCircuit',
    args: [{ destinationId: 3, probeAtMs: 0, probeDelaysMs: [10] }],
    activities: {
      probeDestination: async (probe: ProbeDestination) => {
        probes.push(probe);
        const nextProbeAtMs = Date.now() + delayMs;
        return { status: 'open', wasProbed: true, description: 'rejected (503)', nextProbeAtMs };
      },
    },
  });
  await continued();
  delayMs = DAY_MS;
  await eventually(
    async () => Date.parse((await handle.query(circuitProgress)).nextProbeAt ?? '') > Date.now() + DAY_MS / 2,
  );
  let before = probes.length;
  await handle.signal(probeNow);
  await eventually(() => probes.length === before + 1);
  t.like(probes.at(-1), { destinationId: 3, isRequested: true });
  before = probes.length;
  await handle.signal(circuitMoved, { destinationId: 4 });
  await eventually(() => probes.length === before + 1);
  t.like(probes.at(-1), { destinationId: 4 });
  t.deepEqual(
    pluck(probes, 'probesMade'),
    probes.map((_probe, index) => index),
  );
});

test('a container is published on request after its workflow has continued', async (t) => {
  let state = 'in_progress';
  let createCount = 0;
  let publishCount = 0;
  const publishWaits = { unpublishedMs: [1], unreadableMs: [10], retryMs: 10, quotaRetryMs: 10 };
  const { handle, continued } = await start(t, {
    type: 'carryContainer',
    args: [
      {
        containerId: 'ctr_00000001',
        childCount: 0,
        autoPublish: false,
        status: 'creating',
        resumed: false,
        expiresAtMs: Date.now() + DAY_MS,
        pollScheduleMs: [10],
        publishWaits,
      },
    ],
    activities: {
      createPart: async () => (createCount++, 'accepted'),
      checkContainer: async () => state,
      readStanding: async () => state,
      publishOnce: async () => (publishCount++ === 0 ? 'quota_exceeded' : 'published'),
    },
  });
  await continued();
  t.is(await handle.executeUpdate(awaitAcceptance), 'accepted');
  await t.throwsAsync(handle.executeUpdate(publishContainer), undefined, 'still in progress');
  state = 'finished';
  await eventually(async () => (await handle.query(containerProgress)).status === 'finished');
  t.is(await handle.executeUpdate(publishContainer), 'quota_exceeded');
  t.is(await handle.executeUpdate(publishContainer), 'published');
  t.deepEqual(await handle.result(), { status: 'published' });
  t.deepEqual([createCount, publishCount], [1, 2]);
});

test('a replay is paused, resumed and cancelled after its workflow has continued', async (t) => {
  let status = 'running';
  const read = async () => ({ status, planned: 3, sent: 1, isHeld: status === 'running' });
  const { handle, continued } = await start(t, {
    type: 'replayDeliveries',
    args: [{ replayId: 'rpl_00000001', heldMs: 10 }],
    activities: {
      readReplay: read,
      planReplay: read,
      sendReplay: read,
      moveReplay: async ({ move }: { move: 'pause' | 'resume' | 'cancel' }) => {
        status = { pause: 'paused', resume: 'running', cancel: 'cancelled' }[move];
        return await read();
      },
    },
  });
  await continued();
  // A run that has just continued shows `planning` until it has read the row.
  const isShown = async (status: string) => (await handle.query(replayProgress)).status === status;
  const move = async (update: typeof pauseReplay, status: string): Promise<void> => {
    t.like(await handle.executeUpdate(update), { status });
    await eventually(() => isShown(status));
  };
  await move(pauseReplay, 'paused');
  await handle.signal(replayMoved);
  await eventually(() => isShown('paused'));
  await move(resumeReplay, 'running');
  await move(pauseReplay, 'paused');
  await move(cancelReplay, 'cancelled');
  t.like(await handle.result(), { status: 'cancelled' });
});

test('a token is rotated after its workflow has continued', async (t) => {
  const rotations: number[] = [];
  const { handle, continued } = await start(t, {
    type: 'rotateToken',
    args: [{ channelId: 'ch_00000001', overlapMs: DAY_MS }],
    activities: {
      mintToken: async ({ rotationId }: { rotationId: number }) => {
        rotations.push(rotationId);
        return { result: 'rotated', overlapMs: rotationId === 99 ? 1 : DAY_MS };
      },
      endTokenOverlap: async () => null,
    },
  });
  const rotate = (rotationId: number) => handle.executeUpdate(rotateChannelToken, { args: [{ rotationId }] });
  for (let id = 1; id <= EVENTS / 2; id++) t.is(await rotate(id), 'rotated');
  await continued();
  t.is(await rotate(50), 'rotated');
  t.is(await rotate(99), 'rotated');
  await eventually(() => hasEnded(handle, 'COMPLETED'));
  t.deepEqual(rotations, [1, 2, 3, 4, 5, 6, 50, 99]);
});

test('a pump shows its last report after its workflow has continued', async (t) => {
  const holder = randomUUID();
  const runs = new Set<string>();
  const { handle, continued } = await start(t, {
    type: 'deliveryPump',
    args: [{ holder }],
    holders: [holder],
    activities: {
      watchPump: async () => {
        const { cancelled, info } = Context.current();
        // The view of the second run lasts until the end of the test.
        return runs.add(info.workflowExecution?.runId ?? '').size === 1 ? pumped : await cancelled;
      },
    },
  });
  await continued();
  await eventually(() => runs.size === 2);
  t.deepEqual(await handle.query(pumpState), pumped);
});
