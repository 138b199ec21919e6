import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { WithStartWorkflowOperation, WorkflowUpdateFailedError } from '@temporalio/client';
import type { RotationOutcome } from '../../../db/channels/token-rotations.ts';
import { failureTypes } from '../../../contract/failures.ts';
import { rotateChannelToken } from '../../../workflows/messages/messages.ts';
import type { rotateToken } from '../../../workflows/channels/rotate-token.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const rotated = (overlapMs: number | null): RotationOutcome => ({ result: 'rotated', overlapMs });

/** Longer than a busy machine needs for a second request, which must find the same run. */
const OVERLAP_MS = 20_000;

interface Answers {
  readonly mint: (rotationId: number) => RotationOutcome;
  /** Remaining overlaps in order; the last one repeats. */
  readonly ends?: readonly (number | null)[];
}

async function rotationHarness(t: ExecutionContext, { mint, ends = [null] }: Answers) {
  const calls: string[] = [];
  let endCount = 0;
  const { client, taskQueue } = await temporalHarness(t, {
    mintToken: async ({ rotationId }: { rotationId: number }) => {
      calls.push(`mint ${rotationId}`);
      return mint(rotationId);
    },
    endTokenOverlap: async ({ channelId }: { channelId: string }) => {
      calls.push(`end ${channelId}`);
      return ends[Math.min(endCount++, ends.length - 1)] ?? null;
    },
  });
  const workflowId = `test/${randomUUID()}`;
  const rotate = (rotationId: number) =>
    client.workflow.executeUpdateWithStart(rotateChannelToken, {
      args: [{ rotationId }],
      updateId: `rotation-${rotationId}`,
      startWorkflowOperation: new WithStartWorkflowOperation<typeof rotateToken>('rotateToken', {
        workflowId,
        taskQueue,
        args: [{ channelId: 'ch_00000001', overlapMs: null }],
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    });
  return { calls, rotate, handle: client.workflow.getHandle<typeof rotateToken>(workflowId) };
}

test('a rotation without an overlap ends the run at once', async (t) => {
  const { calls, rotate, handle } = await rotationHarness(t, { mint: () => rotated(null) });
  t.is(await rotate(7), 'rotated');
  t.deepEqual(await handle.result(), { rotationIds: [7] });
  t.deepEqual(calls, ['mint 7']);
});

test('an update without a rotation is rejected and blocks nothing', async (t) => {
  const { rotate, handle } = await rotationHarness(t, { mint: () => rotated(60_000) });
  await rotate(7);
  for (const args of [[], [null], [{ rotationId: '8' }]])
    await t.throwsAsync(handle.executeUpdate('rotateChannelToken', { args: args as [] }), {
      instanceOf: WorkflowUpdateFailedError,
    });
  t.is(await rotate(8), 'rotated');
});

test('the run lasts as long as the overlap and ends it', async (t) => {
  const { calls, rotate, handle } = await rotationHarness(t, { mint: () => rotated(300) });
  const startedAtMs = performance.now();
  t.is(await rotate(7), 'rotated');
  t.deepEqual(await handle.result(), { rotationIds: [7] });
  t.true(performance.now() - startedAtMs >= 290);
  t.deepEqual(calls, ['mint 7', 'end ch_00000001']);
});

test('a timer that is early by the database clock continues', async (t) => {
  const { calls, rotate, handle } = await rotationHarness(t, { mint: () => rotated(50), ends: [60, 40, null] });
  await rotate(7);
  await handle.result();
  t.deepEqual(calls, ['mint 7', 'end ch_00000001', 'end ch_00000001', 'end ch_00000001']);
});

test('a second rotation during an overlap resets the timer', async (t) => {
  const { calls, rotate, handle } = await rotationHarness(t, { mint: (id) => rotated(id === 1 ? 86_400_000 : 100) });
  await rotate(1);
  t.is(await rotate(2), 'rotated');
  t.deepEqual(await handle.result(), { rotationIds: [1, 2] });
  t.deepEqual(calls, ['mint 1', 'mint 2', 'end ch_00000001']);
});

test('a rotation requested twice is made once', async (t) => {
  const { calls, rotate, handle } = await rotationHarness(t, { mint: () => rotated(OVERLAP_MS) });
  t.deepEqual(await Promise.all([rotate(5), rotate(5)]), ['rotated', 'rotated']);
  await handle.result();
  t.is(calls.filter((call) => call === 'mint 5').length, 1);
});

test('concurrent rotations are all answered', async (t) => {
  const { calls, rotate } = await rotationHarness(t, { mint: () => rotated(null) });
  const ids = Array.from({ length: 12 }, (_, index) => index);
  t.deepEqual(new Set(await Promise.all(ids.map(rotate))), new Set(['rotated']));
  t.is(new Set(calls).size, 12);
});

for (const result of ['given_up', 'disconnected'] as const) {
  test(`a rotation that is ${result} keeps the present overlap`, async (t) => {
    const { calls, rotate, handle } = await rotationHarness(t, {
      mint: (id) => (id === 1 ? rotated(OVERLAP_MS) : { result, overlapMs: null }),
    });
    await rotate(1);
    t.is(await rotate(2), result);
    t.deepEqual(await handle.result(), { rotationIds: [1] });
    t.deepEqual(calls, ['mint 1', 'mint 2', 'end ch_00000001']);
  });
}

test('an unknown rotation fails without failing the run', async (t) => {
  const { calls, rotate, handle } = await rotationHarness(t, {
    mint: (id) => {
      if (id === 2) throw ApplicationFailure.nonRetryable('Rotation 2 not found', failureTypes.rotationNotFound);
      return rotated(OVERLAP_MS);
    },
  });
  await rotate(1);
  await t.throwsAsync(rotate(2));
  t.deepEqual(await handle.result(), { rotationIds: [1] });
  await eventually(() => calls.length === 3);
});
