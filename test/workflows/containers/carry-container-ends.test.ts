import test from 'ava';
import { containerStatuses } from '../../../contract/containers/status.ts';
import { awaitAcceptance, containerProgress, publishContainer } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { containerHarness, deferred, untilStatus } from './container-harness.ts';

const soon = () => Date.now() + 1_500;

test('a container still processing at its expiry expires', async (t) => {
  const { start, row, callsOf } = await containerHarness(t, {
    checkContainer: [
      () => {
        row.status = 'in_progress';
        return 'in_progress';
      },
    ],
  });
  const handle = await start({ expiresAtMs: Date.now() + 4_000, pollScheduleMs: [200] });
  t.deepEqual(await handle.result(), { status: 'expired' });
  t.true(callsOf('checkContainer').length >= 1);
});

test('an unpublished container expires', async (t) => {
  const { start } = await containerHarness(t);
  const handle = await start({ status: 'finished', resumed: true, expiresAtMs: soon() });
  t.deepEqual(await handle.result(), { status: 'expired' });
});

test('a container published elsewhere is published at its expiry', async (t) => {
  const { start, callsOf } = await containerHarness(t, { checkContainer: ['published'] });
  const handle = await start({ status: 'finished', resumed: true, expiresAtMs: soon() });
  t.deepEqual(await handle.result(), { status: 'published' });
  t.is(callsOf('endContainer').length, 0);
});

test('a container published elsewhere during processing is published', async (t) => {
  const { start } = await containerHarness(t, { checkContainer: ['in_progress', 'published'] });
  t.deepEqual(await (await start()).result(), { status: 'published' });
});

for (const seen of ['error', 'expired'] as const) {
  test(`a container with the platform status ${seen} ends with that status`, async (t) => {
    const { start, row } = await containerHarness(t, {
      checkContainer: [
        'in_progress',
        () => {
          row.status = seen;
          return seen;
        },
      ],
    });
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

test('a carousel stays creating until its parent is accepted', async (t) => {
  const look = deferred<'finished'>();
  const { start } = await containerHarness(t, { checkContainer: [() => look.promise, 'in_progress'] });
  const handle = await start({ childCount: 2, pollScheduleMs: [60_000] });
  t.is(await handle.executeUpdate(awaitAcceptance), 'accepted');
  t.is((await handle.query(containerProgress)).status, 'creating');
  look.resolve('finished');
  await untilStatus(handle, 'in_progress');
  await handle.terminate();
});

for (const [what, outcome, status] of [
  ['rejected', 'rejected', 'error'],
  ['lost', 'lost', 'unknown'],
] as const) {
  test(`a carousel with one ${what} child ends without a parent`, async (t) => {
    const { start, row, callsOf } = await containerHarness(t, {
      createPart: [
        ({ position }) => {
          if (position !== 2) return 'accepted';
          row.status = status;
          return outcome;
        },
      ],
    });
    const handle = await start({ childCount: 3, expiresAtMs: soon() });
    t.is(await handle.executeUpdate(awaitAcceptance), outcome);
    t.deepEqual(await handle.result(), { status: status === 'unknown' ? 'expired' : 'error' });
    t.deepEqual(
      callsOf('createPart').filter(({ input }) => JSON.stringify(input).includes('"position":0')),
      [],
    );
  });

  test(`a carousel whose parent is ${what} ends`, async (t) => {
    const { start, row } = await containerHarness(t, {
      createPart: [
        ({ position }) => {
          if (position !== 0) return 'accepted';
          row.status = status;
          return outcome;
        },
      ],
    });
    const handle = await start({ childCount: 2, expiresAtMs: soon() });
    t.is(await handle.executeUpdate(awaitAcceptance), 'accepted');
    t.deepEqual(await handle.result(), { status: status === 'unknown' ? 'expired' : 'error' });
  });
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
  const { start, row, callsOf } = await containerHarness(t, {
    checkContainer: [
      'in_progress',
      () => {
        row.status = 'error';
        return 'error';
      },
    ],
  });
  const handle = await start({ childCount: 2 });
  t.deepEqual(await handle.result(), { status: 'error' });
  t.is(callsOf('createPart').length, 2);
});

test('a cancelled create ends the container and returns lost', async (t) => {
  const create = deferred<'accepted'>();
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
    t.deepEqual(
      callsOf('endContainer').map(({ input }) => input),
      [{ containerId: 'ctr_00000001', reason: 'cancelled' }],
    );
  });
}

for (const [seen, status, result] of [
  ['published', 'published', 'published'],
  ['unpublished', 'error', 'failed'],
] as const) {
  test(`a cancelled publish found ${seen} ends as ${status} and returns ${result}`, async (t) => {
    const publish = deferred<'published'>();
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
  const { start, row } = await containerHarness(t, {
    createPart: [
      () => {
        row.status = 'unknown';
        return 'lost';
      },
    ],
  });
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
