import test from 'ava';
import fc from 'fast-check';
import {
  defaultRetryScheduleMs,
  nextDelayMs,
  parseRetryAfterMs,
  retryDelayMs,
} from '../../../contract/deliveries/retry-schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW_MS = Date.UTC(2026, 0, 31, 23, 59, 30);
const MIDDLE = 0.5;

test('the default schedule has eleven delays from 5 s to 24 h', (t) => {
  const waits: number[] = [];
  for (let failed = 1; ; failed++) {
    const delayMs = retryDelayMs(defaultRetryScheduleMs, failed, MIDDLE);
    if (delayMs === undefined) break;
    waits.push(delayMs);
  }
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR);
  t.deepEqual(waits, [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, ...hours]);
});

test('the default schedule spans a weekend', (t) => {
  const total = (random: number): number =>
    defaultRetryScheduleMs.reduce((sum, _, index) => sum + retryDelayMs(defaultRetryScheduleMs, index + 1, random)!, 0);
  t.true(total(0) > 2.5 * DAY);
  t.true(total(MIDDLE) > 3 * DAY);
  t.true(total(1 - Number.EPSILON) < 4 * DAY);
});

test('jitter changes a delay by at most a fifth, in whole milliseconds', (t) => {
  const anyWait = fc.integer({ min: 1, max: DAY });
  const anyDraw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.array(anyWait, { minLength: 1, maxLength: 12 }), fc.nat(20), anyDraw, (schedule, index, random) => {
      const delayMs = retryDelayMs(schedule, index + 1, random);
      const wait = schedule[index];
      if (wait === undefined) return delayMs === undefined;
      return delayMs !== undefined && Number.isInteger(delayMs) && Math.abs(delayMs - wait) <= wait * 0.2 + 0.5;
    }),
  );
  t.not(retryDelayMs([DAY], 1, 0), retryDelayMs([DAY], 1, 0.9));
  t.pass();
});

test('an empty schedule has no delay', (t) => {
  t.is(retryDelayMs([], 1, MIDDLE), undefined);
});

for (const [value, expected] of [
  ['120', 120 * SECOND],
  [' 7 ', 7 * SECOND],
  ['0', undefined],
  ['86400', DAY],
  ['86401', DAY],
  ['9999999999', DAY],
  ['99999999999999999999', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['', undefined],
  ['soon', undefined],
  ['Sun, 01 Feb 2026 00:00:00 GMT', 30 * SECOND],
  ['Sat, 31 Jan 2026 23:59:30 GMT', undefined],
  ['Sat, 31 Jan 2026 23:59:29 GMT', undefined],
  ['Fri, 01 Jan 2100 00:00:00 GMT', DAY],
  ['Sun, 99 Feb 2026 00:00:00 GMT', undefined],
  ['Sunday, 01-Feb-26 00:00:00 GMT', undefined],
  ['2026-02-01T00:00:00Z', undefined],
  ['120, 240', undefined],
] as const) {
  test(`Retry-After: ${JSON.stringify(value)} requests ${expected === undefined ? 'no delay' : `${expected} ms`}`, (t) => {
    t.is(parseRetryAfterMs(value, NOW_MS), expected);
  });
}

test('a response without Retry-After requests no delay', (t) => {
  t.is(parseRetryAfterMs(undefined, NOW_MS), undefined);
});

test('any Retry-After value requests no delay or at most one day', (t) => {
  const dates = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString());
  const anyValue = fc.oneof(fc.string(), fc.nat().map(String), dates);
  fc.assert(
    fc.property(anyValue, (value) => {
      const delayMs = parseRetryAfterMs(value, NOW_MS);
      return delayMs === undefined || (delayMs > 0 && delayMs <= DAY);
    }),
  );
  t.pass();
});

test('Retry-After never shortens a delay', (t) => {
  t.is(nextDelayMs(5 * SECOND, undefined), 5 * SECOND);
  t.is(nextDelayMs(5 * SECOND, 2 * SECOND), 5 * SECOND);
  t.is(nextDelayMs(5 * SECOND, 2 * MINUTE), 2 * MINUTE);
  fc.assert(
    fc.property(fc.nat(), fc.option(fc.nat(), { nil: undefined }), (scheduled, asked) => {
      return nextDelayMs(scheduled, asked) >= scheduled;
    }),
  );
});
