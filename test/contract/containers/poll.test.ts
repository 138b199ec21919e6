import test from 'ava';
import { CONTAINER_LIFE_MS } from '../../../contract/containers/status.ts';
import {
  defaultPollScheduleMs,
  defaultPublishWaits,
  MAX_POLL_MS,
  pollDelayMs,
} from '../../../contract/containers/poll.ts';

const MINUTE_MS = 60_000;

/** The polls of a container that is never finished, in ms after its acceptance. */
function looksOfADay(scheduleMs: readonly number[]): number[] {
  const looksAtMs: number[] = [];
  for (let atMs = 0; atMs <= CONTAINER_LIFE_MS; atMs += pollDelayMs(scheduleMs, looksAtMs.length)) looksAtMs.push(atMs);
  return looksAtMs;
}

const gaps = (atMs: readonly number[]): number[] => atMs.slice(1).map((ms, index) => ms - atMs[index]!);

test('a container is polled immediately and then at most once per minute', (t) => {
  const looksAtMs = looksOfADay(defaultPollScheduleMs);
  t.deepEqual(looksAtMs.slice(0, 3), [0, MINUTE_MS, 2 * MINUTE_MS]);
  t.true(gaps(looksAtMs).every((ms) => ms >= MINUTE_MS));
});

test('a container is polled at least every five minutes for 24 hours', (t) => {
  const looksAtMs = looksOfADay(defaultPollScheduleMs);
  t.is(Math.max(...gaps(looksAtMs)), 5 * MINUTE_MS);
  t.is(MAX_POLL_MS, 5 * MINUTE_MS);
  t.true(looksAtMs.at(-1)! > CONTAINER_LIFE_MS - MAX_POLL_MS);
});

test('delays never decrease', (t) => {
  const waits = gaps(looksOfADay(defaultPollScheduleMs));
  t.deepEqual(
    waits,
    [...waits].sort((left, right) => left - right),
  );
});

test('a container that is never finished is polled 294 times a day', (t) => {
  t.is(looksOfADay(defaultPollScheduleMs).length, 294);
});

test('an empty schedule polls every five minutes', (t) => {
  t.is(pollDelayMs([], 1), MAX_POLL_MS);
  t.is(looksOfADay([]).length, 289);
});

test('a schedule with one delay repeats it', (t) => {
  t.deepEqual([pollDelayMs([7], 1), pollDelayMs([7], 2), pollDelayMs([7], 999)], [7, 7, 7]);
});

test('a lost publish is resolved within a minute', (t) => {
  const totalMs = defaultPublishWaits.unpublishedMs.reduce((sum, ms) => sum + ms, 0);
  t.is(totalMs, 34_000);
});

test('an unavailable platform is polled a few hundred times a day', (t) => {
  const looksAtMs = looksOfADay(defaultPublishWaits.unreadableMs);
  t.true(looksAtMs.length < 300, String(looksAtMs.length));
  t.true(Math.max(...gaps(looksAtMs)) <= MAX_POLL_MS);
});
