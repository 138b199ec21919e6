import test from 'ava';
import { containerStatuses } from '../../../contract/containers/status.ts';
import { awaitAcceptance, publishContainer } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { containerHarness, untilStatus } from './container-harness.ts';
import { pluck } from '../../harness/pluck.ts';

const soon = () => Date.now() + 1_500;

test('a container still processing at its expiry expires', async (t) => {
  const { start, callsOf } = await containerHarness(t, {
    checkContainer: [{ row: 'in_progress', answer: 'in_progress' }],
  });
  const handle = await start({ expiresAtMs: Date.now() + 4_000, pollScheduleMs: [200] });
  t.deepEqual(await handle.result(), { status: 'expired' });
  t.true(callsOf('checkContainer').length >= 1);
});

for (const [what, seen, status] of [
  ['not published', 'finished', 'expired'],
  ['published elsewhere', 'published', 'published'],
] as const) {
  test(`a finished container that was ${what} ends at its expiry`, async (t) => {
    const { start, callsOf } = await containerHarness(t, { checkContainer: [seen] });
    const handle = await start({ status: 'finished', resumed: true, expiresAtMs: soon() });
    t.deepEqual(await handle.result(), { status });
    t.is(callsOf('endContainer').length, status === 'expired' ? 1 : 0);
  });
}

for (const seen of ['published', 'error', 'expired'] as const) {
  test(`a container with the platform status ${seen} ends with that status`, async (t) => {
    const checkContainer = ['in_progress', { row: seen, answer: seen }] as const;
    const { start } = await containerHarness(t, { checkContainer });
    t.deepEqual(await (await start()).result(), { status: seen });
  });
}

test('a carousel creates its children first and then its parent', async (t) => {
  const { start, calls } = await containerHarness(t, { checkContainer: ['in_progress', 'finished', 'finished'] });
  const handle = await start({ childCount: 3 });
  t.is(await handle.executeUpdate(awaitAcceptance), 'accepted');
  await untilStatus(handle, 'finished');
  const made = calls.map(({ name, input }) => [name, input]);
  const part = (position: number) => ['createPart', { containerId: 'ctr_00000001', position }];
  t.deepEqual(
    made.slice(0, 3).sort((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right))),
    [part(1), part(2), part(3)],
  );
  t.like(made[3], ['checkContainer', { children: true }]);
  t.like(made[4], ['checkContainer', { children: true }]);
  t.deepEqual(made[5], part(0));
  t.like(made[6], ['checkContainer', { children: false }]);
  t.is(await handle.executeUpdate(publishContainer), 'published');
});

for (const [answer, row, status] of [
  ['rejected', 'error', 'error'],
  ['lost', 'unknown', 'expired'],
] as const) {
  for (const [part, failing] of [
    ['child', 2],
    ['parent', 0],
  ] as const) {
    test(`a carousel whose ${part} is ${answer} ends`, async (t) => {
      const { start, callsOf, ...at } = await containerHarness(t, {
        createPart: [
          ({ position }) => {
            if (position !== failing) return 'accepted';
            at.row.status = row;
            return answer;
          },
        ],
      });
      const handle = await start({ childCount: 3, expiresAtMs: soon() });
      t.is(await handle.executeUpdate(awaitAcceptance), part === 'child' ? answer : 'accepted');
      t.deepEqual(await handle.result(), { status });
      const parents = callsOf('createPart').filter(({ input }) => hasPosition(input, 0));
      t.is(parents.length, part === 'child' ? 0 : 1);
    });
  }
}

test('a carousel refused as too early is created after the next checks', async (t) => {
  let refusals = 0;
  const { start, calls } = await containerHarness(t, {
    createPart: [({ position }) => (position === 0 && refusals++ < 2 ? 'not_sent' : 'accepted')],
    checkContainer: ['finished', 'in_progress', 'finished', 'unreadable', 'finished'],
  });
  const handle = await start({ childCount: 2 });
  t.is(await handle.executeUpdate(awaitAcceptance), 'accepted');
  await untilStatus(handle, 'finished');
  const parents = calls.filter(({ name, input }) => name === 'createPart' && hasPosition(input, 0));
  t.is(parents.length, 3);
});

test('a carousel with a lost and a rejected child returns lost', async (t) => {
  const { start, row } = await containerHarness(t, {
    createPart: [
      ({ position }) => {
        row.status = 'unknown';
        return position === 1 ? 'lost' : 'rejected';
      },
    ],
  });
  const handle = await start({ childCount: 2 });
  t.is(await handle.executeUpdate(awaitAcceptance), 'lost');
  await handle.terminate();
});

test('a carousel fails if a child fails during processing', async (t) => {
  const checkContainer = ['in_progress', { row: 'error', answer: 'error' }] as const;
  const { start, callsOf } = await containerHarness(t, { checkContainer });
  const handle = await start({ childCount: 2 });
  t.deepEqual(await handle.result(), { status: 'error' });
  t.is(callsOf('createPart').length, 2);
});

test('a cancelled create ends the container and returns lost', async (t) => {
  const create = Promise.withResolvers<'accepted'>();
  const { start, callsOf } = await containerHarness(t, { createPart: [() => create.promise] });
  const handle = await start();
  const waiting = await handle.startUpdate(awaitAcceptance, { waitForStage: 'ACCEPTED' });
  await eventually(() => callsOf('createPart').length === 1);
  await handle.cancel();
  t.is(await waiting.result(), 'lost');
  t.deepEqual(await handle.result(), { status: 'error' });
  create.resolve('accepted');
});

for (const status of ['in_progress', 'finished'] as const) {
  test(`cancelling a container that is ${status} ends it`, async (t) => {
    const { startUntil, callsOf } = await containerHarness(t, { checkContainer: [status] });
    const handle = await startUntil(status, { pollScheduleMs: [60_000] });
    await handle.cancel();
    t.deepEqual(await handle.result(), { status: 'error' });
    t.deepEqual(pluck(callsOf('endContainer'), 'input'), [{ containerId: 'ctr_00000001', reason: 'cancelled' }]);
  });
}

for (const [seen, status, result] of [
  ['published', 'published', 'published'],
  ['unpublished', 'error', 'failed'],
] as const) {
  test(`a cancelled publish found ${seen} ends as ${status} and returns ${result}`, async (t) => {
    const publish = Promise.withResolvers<'published'>();
    const { startUntil, row, callsOf } = await containerHarness(t, {
      publishOnce: [
        () => {
          row.status = 'publishing';
          return publish.promise;
        },
      ],
      resolvePublish: [seen],
    });
    const handle = await startUntil('finished');
    const request = await handle.startUpdate(publishContainer, { waitForStage: 'ACCEPTED' });
    await eventually(() => callsOf('publishOnce').length === 1);
    await handle.cancel();
    t.is(await request.result(), result);
    t.deepEqual(await handle.result(), { status });
    t.is(callsOf('publishOnce').length, 1);
    publish.resolve('published');
  });
}

test('a publish sent during the cancellation is resolved too', async (t) => {
  const { startUntil, row, callsOf } = await containerHarness(t, { checkContainer: ['finished'] });
  const handle = await startUntil('finished');
  row.status = 'publishing';
  await handle.cancel();
  t.deepEqual(await handle.result(), { status: 'published' });
  t.is(callsOf('resolvePublish').length, 1);
});

test('a cancelled container whose create was lost ends', async (t) => {
  const { start } = await containerHarness(t, { createPart: [{ row: 'unknown', answer: 'lost' }] });
  const handle = await start();
  await untilStatus(handle, 'unknown');
  await handle.cancel();
  t.deepEqual(await handle.result(), { status: 'error' });
});

for (const status of containerStatuses) {
  test(`a resumed run continues from ${status} and repeats nothing`, async (t) => {
    const { start, callsOf } = await containerHarness(t);
    const isActive = status === 'creating' || status === 'in_progress' || status === 'finished';
    const handle = await start({ status, resumed: true, expiresAtMs: Date.now() + (isActive ? 60_000 : 1_500) });
    if (isActive) {
      await untilStatus(handle, 'finished');
      t.is(await handle.executeUpdate(publishContainer), 'published');
    }
    const ends = { unknown: 'expired', error: 'error', expired: 'expired' } as const;
    const end = status in ends ? ends[status as keyof typeof ends] : 'published';
    t.deepEqual(await handle.result(), { status: end });
    t.is(callsOf('createPart').length, status === 'creating' ? 1 : 0);
    t.is(callsOf('publishOnce').length, isActive ? 1 : 0);
    t.is(callsOf('resolvePublish').length, status === 'publishing' ? 1 : 0);
  });
}

test('a publish requested before a resumed run has read its row succeeds', async (t) => {
  const { start, row } = await containerHarness(t);
  row.status = 'finished';
  const handle = await start({ status: 'finished', resumed: true });
  t.is(await handle.executeUpdate(publishContainer), 'published');
});

function hasPosition(input: unknown, position: number): boolean {
  return typeof input === 'object' && input !== null && 'position' in input && input.position === position;
}
