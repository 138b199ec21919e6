import test from 'ava';
import { containerStatuses } from '../../../contract/containers/status.ts';
import { awaitAcceptance, containerProgress, publishContainer } from '../../../workflows/messages/containers.ts';
import { eventually } from '../../harness/eventually.ts';
import { containerHarness, gate, untilStatus } from './container-harness.ts';

const soon = () => Date.now() + 1_500;

test('a container that is still processed at its end expires', async (t) => {
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

test('a finished container that nobody publishes expires', async (t) => {
  const { start } = await containerHarness(t);
  const handle = await start({ status: 'finished', resumed: true, expiresAtMs: soon() });
  t.deepEqual(await handle.result(), { status: 'expired' });
});

test('a container that another hand has published is published at its end, and not expired', async (t) => {
  const { start, callsOf } = await containerHarness(t, { checkContainer: ['published'] });
  const handle = await start({ status: 'finished', resumed: true, expiresAtMs: soon() });
  t.deepEqual(await handle.result(), { status: 'published' });
  t.is(callsOf('endContainer').length, 0);
});

test('a container that another hand publishes while it is looked at is published', async (t) => {
  const { start } = await containerHarness(t, { checkContainer: ['in_progress', 'published'] });
  t.deepEqual(await (await start()).result(), { status: 'published' });
});

for (const seen of ['error', 'expired'] as const) {
  test(`a container that the platform calls ${seen} ends so`, async (t) => {
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

test('a carousel has its children made and finished, and then its parent', async (t) => {
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

test('a carousel is being created until its parent is accepted', async (t) => {
  const look = gate<'finished'>();
  const { start } = await containerHarness(t, { checkContainer: [() => look.opened, 'in_progress'] });
  const handle = await start({ childCount: 2, pollScheduleMs: [60_000] });
  t.is(await handle.executeUpdate(awaitAcceptance), 'accepted');
  t.is((await handle.query(containerProgress)).status, 'creating');
  look.open('finished');
  await untilStatus(handle, 'in_progress');
  await handle.terminate();
});

for (const [what, outcome, status] of [
  ['refused', 'rejected', 'error'],
  ['lost', 'lost', 'unknown'],
] as const) {
  test(`a carousel of which one child is ${what} ends by that, and its parent is never made`, async (t) => {
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

  test(`a carousel whose parent is ${what} ends by that`, async (t) => {
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

test('a carousel of which one child is lost and another refused says lost, as its row does', async (t) => {
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

test('a carousel whose child fails while it is processed fails', async (t) => {
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

test('a cancelled create is given up, and whoever waits for it is told', async (t) => {
  const create = gate<'accepted'>();
  const { start, callsOf } = await containerHarness(t, { createPart: [() => create.opened] });
  const handle = await start();
  const waiting = await handle.startUpdate(awaitAcceptance, { waitForStage: 'ACCEPTED' });
  await eventually(() => callsOf('createPart').length === 1);
  await handle.cancel();
  t.is(await waiting.result(), 'lost');
  t.deepEqual(await handle.result(), { status: 'error' });
  create.open('accepted');
});

for (const status of ['in_progress', 'finished'] as const) {
  test(`a cancelled container that is ${status} is given up`, async (t) => {
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
  test(`a publish that is cancelled is cleared up first: ${seen} it ends ${status}, and its asker is told`, async (t) => {
    const publish = gate<'published'>();
    const { startUntil, row, callsOf } = await containerHarness(t, {
      publishOnce: [
        () => {
          row.status = 'publishing';
          return publish.opened;
        },
      ],
      resolvePublish: [seen],
    });
    const handle = await startUntil('finished');
    const asked = await handle.startUpdate(publishContainer, { waitForStage: 'ACCEPTED' });
    await eventually(() => callsOf('publishOnce').length === 1);
    await handle.cancel();
    t.is(await asked.result(), result);
    t.deepEqual(await handle.result(), { status });
    t.is(callsOf('publishOnce').length, 1);
    publish.open('published');
  });
}

test('a publish that goes out while the container is given up is cleared up as well', async (t) => {
  const { startUntil, row, callsOf } = await containerHarness(t, { checkContainer: ['finished'] });
  const handle = await startUntil('finished');
  row.status = 'publishing';
  await handle.cancel();
  t.deepEqual(await handle.result(), { status: 'published' });
  t.is(callsOf('resolvePublish').length, 1);
});

test('a cancelled container whose create was lost stays unknown', async (t) => {
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
  t.deepEqual(await handle.result(), { status: 'unknown' });
});

for (const status of containerStatuses) {
  test(`a run that finds its container ${status} goes on from there, and creates nothing that was created`, async (t) => {
    const { start, callsOf } = await containerHarness(t);
    const isAtWork = status === 'creating' || status === 'in_progress' || status === 'finished';
    const handle = await start({ status, resumed: true, expiresAtMs: Date.now() + (isAtWork ? 60_000 : 1_500) });
    if (isAtWork) {
      await untilStatus(handle, 'finished');
      t.is(await handle.executeUpdate(publishContainer), 'published');
    }
    const ends = { unknown: 'expired', error: 'error', expired: 'expired' } as const;
    const end = status in ends ? ends[status as keyof typeof ends] : 'published';
    t.deepEqual(await handle.result(), { status: end });
    t.is(callsOf('createPart').length, status === 'creating' ? 1 : 0);
    t.is(callsOf('publishOnce').length, isAtWork ? 1 : 0);
    t.is(callsOf('resolvePublish').length, status === 'publishing' ? 1 : 0);
  });
}

test('a publish may be asked for before a new run has read how things stand', async (t) => {
  const { start, row } = await containerHarness(t);
  row.status = 'finished';
  const handle = await start({ status: 'finished', resumed: true });
  t.is(await handle.executeUpdate(publishContainer), 'published');
});
