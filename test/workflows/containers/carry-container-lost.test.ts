import test from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { containerProgress, publishContainer } from '../../../workflows/messages/containers.ts';
import { containerHarness } from './container-harness.ts';

test('a lost publish that reads show is published, is published', async (t) => {
  const { startUntil, callsOf } = await containerHarness(t, {
    publishOnce: ['lost'],
    resolvePublish: ['unreadable', 'unpublished', 'published'],
  });
  const handle = await startUntil('finished');
  t.is(await handle.executeUpdate(publishContainer), 'published');
  t.deepEqual(await handle.result(), { status: 'published' });
  t.is(callsOf('publishOnce').length, 1);
  t.is(callsOf('resolvePublish').length, 3);
});

test('a lost publish that look after look shows unpublished is given back, and not made again unasked', async (t) => {
  const { startUntil, callsOf } = await containerHarness(t, {
    publishOnce: ['lost', 'published'],
    resolvePublish: ['unpublished'],
  });
  const handle = await startUntil('finished', { autoPublish: false });
  t.is(await handle.executeUpdate(publishContainer), 'lost');
  t.is((await handle.query(containerProgress)).status, 'finished');
  t.is(callsOf('resolvePublish').length, 3);
  t.is(callsOf('releasePublish').length, 1);
  t.is(callsOf('publishOnce').length, 1);
  t.is(await handle.executeUpdate(publishContainer), 'published');
});

test('a publish whose worker is lost is cleared up by what the row says, never by another call', async (t) => {
  const broken = () => Promise.reject(ApplicationFailure.create({ message: 'database away' }));
  const { startUntil, row, callsOf } = await containerHarness(t, {
    publishOnce: [
      () => {
        row.status = 'publishing';
        return broken();
      },
      () => {
        row.status = 'finished';
        return broken();
      },
      'published',
    ],
    resolvePublish: ['unpublished'],
  });
  const handle = await startUntil('finished');
  t.is(await handle.executeUpdate(publishContainer), 'lost');
  t.is(callsOf('publishOnce').length, 1);
  t.is(await handle.executeUpdate(publishContainer), 'unreachable');
  t.is(await handle.executeUpdate(publishContainer), 'published');
});

test('a publish that nobody could read until the end is unknown for good', async (t) => {
  const { start, callsOf } = await containerHarness(t, { resolvePublish: ['unreadable'] });
  const handle = await start({ status: 'publishing', resumed: true, expiresAtMs: Date.now() + 5_000 });
  t.is(await handle.executeUpdate(publishContainer), 'lost');
  t.deepEqual(await handle.result(), { status: 'unknown' });
  t.is(callsOf('publishOnce').length, 0);
  t.true(callsOf('resolvePublish').length >= 1);
});
