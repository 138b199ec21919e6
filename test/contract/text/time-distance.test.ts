import test from 'ava';
import { timeDistance } from '../../../contract/text/time-distance.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const cases = [
  [-2_000, 'now'],
  [4_999, 'now'],
  [-20_000, { count: -20, unit: 'second' }],
  [-100_000, { count: -2, unit: 'minute' }],
  [90 * 60_000, { count: 2, unit: 'hour' }],
  [-DAY_MS, { count: -1, unit: 'day' }],
  [14 * DAY_MS - 1, { count: 14, unit: 'day' }],
  [-14 * DAY_MS, 'far'],
  [Number.NaN, 'far'],
] as const;

test('the distance of a time has the largest unit that fits', (t) => {
  for (const [ms, expected] of cases) t.deepEqual(timeDistance(DAY_MS + ms, DAY_MS), expected, `${ms}`);
});
