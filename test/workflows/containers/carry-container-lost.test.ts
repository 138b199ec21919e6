import test from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { awaitAcceptance, containerProgress, publishContainer } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { containerHarness } from './container-harness.ts';

test('a lost publish is published once a read shows it', async (t) => {
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

test('a lost publish repeatedly read as unpublished is released', async (t) => {
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

test('a publish whose worker is lost is resolved by its row', async (t) => {
  const answer = ApplicationFailure.create({ message: 'database unreachable' });
  const { startUntil, callsOf } = await containerHarness(t, {
    publishOnce: [{ row: 'publishing', answer }, { row: 'finished', answer }, 'published'],
    resolvePublish: ['unpublished'],
  });
  const handle = await startUntil('finished');
  t.is(await handle.executeUpdate(publishContainer), 'lost');
  t.is(callsOf('publishOnce').length, 1);
  t.is(await handle.executeUpdate(publishContainer), 'unreachable');
  t.is(await handle.executeUpdate(publishContainer), 'published');
});

test('a container whose create response arrives late is carried on', async (t) => {
  const { start, row, callsOf } = await containerHarness(t, {
    createPart: [{ row: 'unknown', answer: 'lost' }, 'accepted'],
  });
  const handle = await start({ autoPublish: true, pollScheduleMs: [20] });
  t.is(await handle.executeUpdate(awaitAcceptance), 'lost');
  await eventually(() => callsOf('readStanding').length > 2);
  row.status = 'creating';
  t.deepEqual(await handle.result(), { status: 'published' });
  t.is(callsOf('createPart').length, 2);
});

test('a publish unreadable until its expiry stays unknown', async (t) => {
  const { start, callsOf } = await containerHarness(t, { resolvePublish: ['unreadable'] });
  const handle = await start({ status: 'publishing', resumed: true, expiresAtMs: Date.now() + 5_000 });
  t.is(await handle.executeUpdate(publishContainer), 'lost');
  t.deepEqual(await handle.result(), { status: 'unknown' });
  t.is(callsOf('publishOnce').length, 0);
  t.true(callsOf('resolvePublish').length >= 1);
});
