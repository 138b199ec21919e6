import test from 'ava';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type ContainerStatus, containerMayBecome } from '../../../contract/containers/status.ts';
import { failureTypes } from '../../../contract/failures.ts';
import { awaitAcceptance, containerProgress, publishContainer } from '../../../workflows/messages/messages.ts';
import { stateAttribute } from '../../../workflows/runs/this-run.ts';
import { eventually } from '../../harness/eventually.ts';
import { containerHarness, untilStatus } from './container-harness.ts';
import { pluck } from '../../harness/pluck.ts';

test('a container is created, checked on schedule and published on request', async (t) => {
  const { start, calls, callsOf } = await containerHarness(t, {
    checkContainer: ['in_progress', 'unreadable', 'finished'],
  });
  const handle = await start();
  t.is(await handle.executeUpdate(awaitAcceptance), 'accepted');
  await untilStatus(handle, 'finished');
  t.is(callsOf('checkContainer').length, 3);
  t.is(await handle.executeUpdate(publishContainer), 'published');
  t.deepEqual(await handle.result(), { status: 'published' });
  t.deepEqual(pluck(calls, 'name'), [
    'createPart',
    'checkContainer',
    'checkContainer',
    'checkContainer',
    'publishOnce',
  ]);
  t.is((await handle.describe()).typedSearchAttributes.get(stateAttribute), 'published');
});

test('a worker may pause during calls that must not be repeated', async (t) => {
  const { start } = await containerHarness(t, { checkContainer: ['finished'] });
  const handle = await start();
  await untilStatus(handle, 'finished');
  await handle.executeUpdate(publishContainer);
  const { events } = await handle.fetchHistory();
  const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: activity }) => activity ?? []);
  const once = scheduled.filter(({ retryPolicy }) => retryPolicy?.maximumAttempts === 1);
  t.deepEqual(
    once.map(({ activityType, heartbeatTimeout }) => [activityType?.name, Number(heartbeatTimeout?.seconds)]),
    [['publishOnce', 30]],
  );
  const create = scheduled.find(({ activityType }) => activityType?.name === 'createPart');
  t.is(Number(create?.heartbeatTimeout?.seconds), 30);
});

test('a publish request during processing is rejected without a history event', async (t) => {
  const look = Promise.withResolvers<'finished'>();
  const { start, callsOf } = await containerHarness(t, { checkContainer: [() => look.promise] });
  const handle = await start();
  await eventually(() => callsOf('checkContainer').length === 1);
  const eventCount = async () => (await handle.fetchHistory()).events?.length;
  const before = await eventCount();
  for (let round = 0; round < 3; round++) {
    const error = await t.throwsAsync(handle.executeUpdate(publishContainer), {
      instanceOf: WorkflowUpdateFailedError,
    });
    t.like(error?.cause, { type: failureTypes.containerNotReady });
  }
  t.is(await eventCount(), before);
  look.resolve('finished');
  await untilStatus(handle, 'finished');
  t.is(await handle.executeUpdate(publishContainer), 'published');
});

test('concurrent publish requests publish once and return the same result', async (t) => {
  const publish = Promise.withResolvers<'published'>();
  const { startUntil, callsOf } = await containerHarness(t, { publishOnce: [() => publish.promise] });
  const handle = await startUntil('finished');
  const requests = Array.from({ length: 5 }, () => handle.executeUpdate(publishContainer));
  await eventually(() => callsOf('publishOnce').length === 1);
  requests.push(handle.executeUpdate(publishContainer));
  publish.resolve('published');
  // On a busy machine, a request can come after the end of the run.
  const answers = await Promise.all(requests.map((request) => request.catch((error: unknown) => error)));
  t.true(answers.includes('published'));
  t.true(answers.every((answer) => answer === 'published' || answer instanceof WorkflowNotFoundError));
  await handle.result();
  t.is(callsOf('publishOnce').length, 1);
});

test('a rejection answers all requests and is not retried', async (t) => {
  const publish = Promise.withResolvers<'quota_exceeded'>();
  const { startUntil, callsOf } = await containerHarness(t, { publishOnce: [() => publish.promise, 'published'] });
  const handle = await startUntil('finished');
  const first = handle.executeUpdate(publishContainer);
  await eventually(() => callsOf('publishOnce').length === 1);
  const second = await handle.startUpdate(publishContainer, { waitForStage: 'ACCEPTED' });
  publish.resolve('quota_exceeded');
  t.deepEqual(await Promise.all([first, second.result()]), ['quota_exceeded', 'quota_exceeded']);
  await untilStatus(handle, 'finished');
  t.is(callsOf('publishOnce').length, 1);
  t.is(await handle.executeUpdate(publishContainer), 'published');
  t.is(callsOf('publishOnce').length, 2);
});

for (const [step, result, status] of [
  ['not_ready', 'not_ready', 'in_progress'],
  ['quota_exceeded', 'quota_exceeded', 'finished'],
  ['unreachable', 'unreachable', 'finished'],
  ['rejected_for_now', 'rejected', 'finished'],
] as const) {
  test(`a publish that is ${step} can be requested again`, async (t) => {
    const { startUntil, callsOf } = await containerHarness(t, {
      publishOnce: [step, 'published'],
      checkContainer: ['finished', ...(status === 'in_progress' ? (['in_progress'] as const) : []), 'finished'],
    });
    const handle = await startUntil('finished');
    t.is(await handle.executeUpdate(publishContainer), result);
    await untilStatus(handle, 'finished');
    t.is(callsOf('publishOnce').length, 1);
    t.is(await handle.executeUpdate(publishContainer), 'published');
  });
}

for (const [seen, result] of [
  ['finished', 'rejected'],
  ['published', 'published'],
  ['expired', 'expired'],
  ['error', 'failed'],
] as const) {
  test(`a rejected publish of a container found ${seen} returns ${result}`, async (t) => {
    const { startUntil } = await containerHarness(t, {
      publishOnce: ['rejected'],
      checkContainer: ['finished', { row: seen, answer: seen }],
    });
    const handle = await startUntil('finished');
    t.is(await handle.executeUpdate(publishContainer), result);
    if (seen === 'finished') await handle.terminate();
    else t.deepEqual(await handle.result(), { status: seen });
  });
}

test('an auto-publish container is published once it is finished', async (t) => {
  const { start, callsOf } = await containerHarness(t, {
    checkContainer: ['in_progress', 'finished'],
    publishOnce: ['not_ready', 'quota_exceeded', 'unreachable', 'rejected_for_now', 'published'],
  });
  const handle = await start({ autoPublish: true });
  t.deepEqual(await handle.result(), { status: 'published' });
  t.is(callsOf('publishOnce').length, 5);
});

test('an auto-publish container waits for a request after a rejection', async (t) => {
  const { start, row, callsOf } = await containerHarness(t, { publishOnce: ['rejected', 'published'] });
  row.status = 'finished';
  const handle = await start({ autoPublish: true, status: 'finished', resumed: true });
  await eventually(() => callsOf('readStanding').length === 2);
  await untilStatus(handle, 'finished');
  t.is(callsOf('publishOnce').length, 1);
  t.is(await handle.executeUpdate(publishContainer), 'published');
});

test('an auto-publish container that cannot be published expires', async (t) => {
  const { start, row, callsOf } = await containerHarness(t, { publishOnce: ['quota_exceeded'] });
  row.status = 'finished';
  const publishWaits = { unpublishedMs: [], unreadableMs: [1], retryMs: 1_000, quotaRetryMs: 1_000 };
  const expiresAtMs = Date.now() + 4_000;
  const handle = await start({ autoPublish: true, status: 'finished', expiresAtMs, publishWaits });
  t.deepEqual(await handle.result(), { status: 'expired' });
  t.true(callsOf('publishOnce').length >= 1);
  t.true(callsOf('publishOnce').length <= 4);
});

for (const [outcome, row] of [
  ['rejected', 'error'],
  ['lost', 'unknown'],
  ['not_sent', 'error'],
] as const) {
  test(`a create that is ${outcome} is reported and not checked`, async (t) => {
    const { start, callsOf } = await containerHarness(t, { createPart: [{ row, answer: outcome }] });
    const handle = await start({ expiresAtMs: Date.now() + 1_500 });
    t.is(await handle.executeUpdate(awaitAcceptance), outcome);
    t.deepEqual(await handle.result(), { status: outcome === 'lost' ? 'expired' : 'error' });
    t.is(callsOf('checkContainer').length, 0);
    t.is(callsOf('createPart').length, 1);
  });
}

test('a create whose worker is lost returns what its row says', async (t) => {
  const { start, callsOf } = await containerHarness(t, {
    createPart: [() => Promise.reject(new Error('worker lost')), { row: 'unknown', answer: 'lost' }],
  });
  const handle = await start({ expiresAtMs: Date.now() + 5_000 });
  t.is(await handle.executeUpdate(awaitAcceptance), 'lost');
  t.deepEqual(await handle.result(), { status: 'expired' });
  t.is(callsOf('createPart').length, 2);
  t.is(callsOf('settleCreate').length, 0);
});

test('a create that cannot be repeated is settled', async (t) => {
  const { start, callsOf } = await containerHarness(t, {
    createPart: [() => Promise.reject(ApplicationFailure.nonRetryable('no'))],
    settleCreate: [{ row: 'unknown', answer: 'lost' }],
  });
  const handle = await start({ expiresAtMs: Date.now() + 1_500 });
  t.is(await handle.executeUpdate(awaitAcceptance), 'lost');
  t.deepEqual(await handle.result(), { status: 'expired' });
  t.is(callsOf('createPart').length, 1);
  t.is(callsOf('settleCreate').length, 1);
});

test('the reported status follows the declared transitions', async (t) => {
  const { start, callsOf } = await containerHarness(t, {
    checkContainer: ['in_progress', 'in_progress', 'finished'],
    publishOnce: ['quota_exceeded', 'lost'],
    resolvePublish: ['unpublished', 'published'],
  });
  const handle = await start({ autoPublish: true, pollScheduleMs: [20] });
  const seen: ContainerStatus[] = ['creating'];
  const checks: string[] = [];
  await eventually(async () => {
    const { status, checkedAt } = await handle.query(containerProgress);
    if (status !== seen.at(-1)) seen.push(status);
    if (checkedAt !== null) checks.push(checkedAt);
    return status === 'published';
  });
  t.deepEqual(checks, [...checks].sort());
  for (const [index, status] of seen.slice(1).entries()) t.true(reaches(seen[index]!, status), seen.join(' '));
  t.is(callsOf('publishOnce').length, 2);
});

/** Queries can miss short states. */
function reaches(from: ContainerStatus, to: ContainerStatus, seen: readonly ContainerStatus[] = []): boolean {
  if (containerMayBecome(from, to)) return true;
  const steps: ContainerStatus[] = ['in_progress', 'finished', 'publishing'];
  return steps.some(
    (step) => !seen.includes(step) && containerMayBecome(from, step) && reaches(step, to, [...seen, step]),
  );
}
