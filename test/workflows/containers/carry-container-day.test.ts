import test from 'ava';
import type { CheckContainer } from '../../../activities/containers/container-activities.ts';
import { containerProgress, publishContainer } from '../../../workflows/messages/containers.ts';
import { eventually } from '../../harness/eventually.ts';
import { containerHarness, untilStatus } from './container-harness.ts';

/** The server's timers are good to a second, so that an hour may not be shorter: a day takes 24 s. */
const HOUR_MS = 1_000;
const DAY_MS = 24 * HOUR_MS;

test('over a scaled day a container is looked at on its schedule, and then expires', async (t) => {
  const looks: { readonly atMs: number; readonly nextCheckAtMs: number }[] = [];
  const { start, row } = await containerHarness(t, {
    checkContainer: [
      ({ nextCheckAtMs }: CheckContainer) => {
        looks.push({ atMs: Date.now(), nextCheckAtMs });
        return 'in_progress';
      },
    ],
  });
  const pollScheduleMs = [1, 1, 1, 2].map((hours) => hours * HOUR_MS);
  const expiresAtMs = Date.now() + DAY_MS;
  const handle = await start({ pollScheduleMs, expiresAtMs });
  await untilStatus(handle, 'in_progress');
  row.status = 'in_progress';
  t.deepEqual(await handle.result(), { status: 'expired' });
  // Three waits of an hour, then two hours each, and one look at the end; fewer if the machine is busy.
  t.true(looks.length >= 2 && looks.length <= 15, `${looks.length} looks`);
  t.true(looks.at(-2)!.nextCheckAtMs <= expiresAtMs);
  t.true(Date.now() >= expiresAtMs, 'it does not expire early');
  for (const [index, { atMs, nextCheckAtMs }] of looks.slice(0, -1).entries()) {
    t.true(nextCheckAtMs - atMs <= (pollScheduleMs[index] ?? 2 * HOUR_MS), `look ${index}`);
    t.true(looks[index + 1]!.atMs >= nextCheckAtMs, `look ${index + 1} is early`);
  }
  const { events } = await handle.fetchHistory();
  t.true(events!.length < looks.length * 12 + 20, `${events!.length} events of ${looks.length} looks`);
});

test('the wait for the next look is shorter by what the last one took', async (t) => {
  const { start, callsOf } = await containerHarness(t, {
    checkContainer: [
      async () => {
        const untilMs = Date.now() + 1_000;
        await eventually(() => Date.now() >= untilMs);
        return 'in_progress' as const;
      },
    ],
  });
  const handle = await start({ pollScheduleMs: [60_000] });
  await eventually(async () => (await handle.query(containerProgress)).checkedAt !== null);
  const { events } = await handle.fetchHistory();
  const timer = events!.find((event) => event.timerStartedEventAttributes)?.timerStartedEventAttributes;
  t.true(Number(timer?.startToFireTimeout?.seconds) < 60);
  t.is(callsOf('checkContainer').length, 1);
  await handle.terminate();
});

// Without a cache every task would replay all of the long history.
const testWithCache = process.env.TEMPORAL_NO_CACHE === '1' ? test.skip : test;

testWithCache('a container that is asked for again and again goes on in a new run, as it stood', async (t) => {
  t.timeout(110_000);
  const { start, row, client, callsOf } = await containerHarness(t, { publishOnce: ['quota_exceeded'] });
  const handle = await start();
  await untilStatus(handle, 'finished');
  row.status = 'finished';
  const current = client.workflow.getHandle(handle.workflowId);
  let asked = 0;
  do {
    t.is(await current.executeUpdate(publishContainer), 'quota_exceeded');
    asked++;
  } while ((await current.describe()).runId === handle.firstExecutionRunId);
  const seen = await current.query(containerProgress);
  t.is(seen.status, 'finished');
  t.not(seen.checkedAt, null);
  t.is(await current.executeUpdate(publishContainer), 'quota_exceeded');
  t.is(callsOf('publishOnce').length, asked + 1);
  t.is(callsOf('createPart').length, 1);
  t.true((await current.describe()).historyLength < 100);
  await current.cancel();
});
