import test from 'ava';
import type { CheckContainer } from '../../../activities/containers/container-activities.ts';
import { containerProgress } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { containerHarness, untilStatus } from './container-harness.ts';

/** The server's timers have a resolution of one second. */
const HOUR_MS = 1_000;
const DAY_MS = 24 * HOUR_MS;

test('a container is checked on its schedule for a day and expires', async (t) => {
  const checks: { readonly atMs: number; readonly nextCheckAtMs: number }[] = [];
  const { start, row } = await containerHarness(t, {
    checkContainer: [
      ({ nextCheckAtMs }: CheckContainer) => {
        checks.push({ atMs: Date.now(), nextCheckAtMs });
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
  // Three waits of an hour, then two hours each, and one check at the end; fewer if the machine is busy.
  t.true(checks.length >= 2 && checks.length <= 15, `${checks.length} checks`);
  t.true(checks.at(-2)!.nextCheckAtMs <= expiresAtMs);
  t.true(Date.now() >= expiresAtMs, 'it does not expire early');
  for (const [index, { atMs, nextCheckAtMs }] of checks.slice(0, -1).entries()) {
    t.true(nextCheckAtMs - atMs <= (pollScheduleMs[index] ?? 2 * HOUR_MS), `check ${index}`);
    t.true(checks[index + 1]!.atMs >= nextCheckAtMs, `check ${index + 1} is early`);
  }
  const { events } = await handle.fetchHistory();
  t.true(events!.length < checks.length * 12 + 20, `${events!.length} events of ${checks.length} checks`);
});

test('the wait between checks includes the duration of the check', async (t) => {
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
