import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import test from 'ava';
import { taskQueues } from '../../contract/task-queues.ts';
import { rotateChannelToken } from '../../workflows/messages/messages.ts';
import { eventually } from '../harness/eventually.ts';
import { fleetHarness } from '../harness/temporal/fleet.ts';

/** More than the slots of every queue in these tests. */
const HANGING = 12;

test('attempts and probes at hanging receivers do not delay a webhook save', async (t) => {
  const { promise: hung, resolve: release } = Promise.withResolvers<void>();
  let started = 0; // Attempts, which keep their slots.
  const hang = async () => {
    await hung;
    return { status: 'ended', description: 'released' };
  };
  const { client } = await fleetHarness(t, {
    attemptDelivery: () => {
      started++;
      return hang();
    },
    checkDelivery: async () => ({ status: 'due' }),
    probeDestination: hang,
    probeVerifyToken: async () => 'passed',
    probeEmptyPost: async () => 'passed',
    commitCandidate: async () => 'committed',
  });
  t.teardown(release);
  const start = (type: string, input: object) =>
    client.workflow.start(type, { args: [input], taskQueue: taskQueues.main, workflowId: `test/${randomUUID()}` });
  const counts = { attemptsMade: 1, failedInSchedule: 1, nextAttemptAtMs: Date.now(), scheduleMs: [1] };
  const deliveries = await Promise.all(
    Array.from({ length: HANGING }, (_, index) => start('deliverWebhook', { deliveryId: `wd_${index}`, ...counts })),
  );
  const circuit = await start('destinationCircuit', { destinationId: 1, probeAtMs: Date.now(), probeDelaysMs: [1] });
  await eventually(() => started > 0);
  const save = await start('saveWebhook', { candidateId: 1 });
  t.is(await save.result(), 'committed');
  t.true(started < HANGING, 'attempts are still waiting for a slot');
  release();
  await Promise.all([...deliveries, circuit].map((handle) => handle.result()));
});

test('hanging test events delay no code, invitation or rotation', async (t) => {
  const { promise: hung, resolve: release } = Promise.withResolvers<void>();
  let started = 0; // Tests, which keep their slots.
  const { client } = await fleetHarness(t, {
    attemptTestEvent: async () => {
      started++;
      await hung;
      return 'accepted';
    },
    sendCode: async () => 'ended',
    expireRegistration: async () => 'expired',
    mailInvitation: async () => 'sent',
    mintToken: async () => ({ result: 'rotated', overlapMs: null }),
  });
  t.teardown(release);
  const options = (input: object) => ({
    args: [input],
    taskQueue: taskQueues.main,
    workflowId: `test/${randomUUID()}`,
  });
  const start = (type: string, input: object) => client.workflow.start(type, options(input));
  const tests = await Promise.all(
    Array.from({ length: HANGING }, (_, index) => start('sendTestEvent', { testEventId: index })),
  );
  await eventually(() => started > 0);
  const startWorkflowOperation = new WithStartWorkflowOperation('rotateToken', {
    ...options({ channelId: 'ch_1', overlapMs: null }),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  const [code, invitation, rotation] = await Promise.all([
    (await start('emailCode', { registrationId: 1, windowMs: 1 })).result(),
    (await start('sendInvitation', { invitationId: 'inv_1' })).result(),
    client.workflow.executeUpdateWithStart(rotateChannelToken, { args: [{ rotationId: 1 }], startWorkflowOperation }),
  ]);
  t.deepEqual([code, invitation, rotation], ['expired', 'sent', 'rotated']);
  t.true(started < HANGING, 'tests are still waiting for a slot');
  release();
  await Promise.all(tests.map((handle) => handle.result()));
});

test('every activity runs on the queue of its kind', async (t) => {
  const { client, queueOf } = await fleetHarness(t, {
    checkDestinationAddress: async () => 'allowed',
    attemptTestEvent: async () => 'accepted',
    mailInvitation: async () => 'sent',
    attemptDelivery: async () => ({ status: 'ended' }),
    checkDelivery: async () => ({ status: 'due' }),
    checkInvariants: async () => ({ violationCount: 0, eventCount: 0, deliveryCount: 0 }),
    removeOld: async () => ({ position: 0, removedCount: 0, isDone: true }),
    createPart: async () => 'rejected',
    readStanding: async () => 'error',
    exchangeCredential: async () => ({ outcome: 'not_due' }),
  });
  const run = (workflow: string, ...args: object[]) =>
    client.workflow.execute(workflow, { args, taskQueue: taskQueues.main, workflowId: `test/${randomUUID()}` });
  const counts = { attemptsMade: 1, failedInSchedule: 1, nextAttemptAtMs: Date.now(), scheduleMs: [] };
  const container = { containerId: 'ctr_1', childCount: 0, autoPublish: false, status: 'creating', resumed: false };
  await Promise.all([
    run('checkDestination', { destinationId: 1 }),
    run('sendTestEvent', { testEventId: 1 }),
    run('sendInvitation', { invitationId: 'inv_1' }),
    run('deliverWebhook', { deliveryId: 'wd_1', ...counts }),
    run('invariants'),
    run('retention', {}),
    run('refreshCredential', { credentialId: 'crd_1', waitsMs: [] }),
    run('carryContainer', { ...container, expiresAtMs: Date.now() + 60_000, pollScheduleMs: [1] }),
  ]);
  t.deepEqual(Object.fromEntries([...queueOf].sort()), {
    attemptDelivery: taskQueues.receivers,
    attemptTestEvent: taskQueues.interactive,
    checkDelivery: taskQueues.main,
    checkDestinationAddress: taskQueues.interactive,
    checkInvariants: taskQueues.upkeep,
    createPart: taskQueues.media,
    exchangeCredential: taskQueues.media,
    mailInvitation: taskQueues.mails,
    readStanding: taskQueues.main,
    removeOld: taskQueues.upkeep,
  });
});
