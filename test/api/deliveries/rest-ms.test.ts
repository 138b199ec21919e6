import test from 'ava';
import { restMs } from '../../../api/deliveries/change-feeds.ts';

const times = { pollMs: 500, heartbeatMs: 15_000 };

for (const [title, readMs, isFull, expected] of [
  ['a reader rests until the next poll', 1, false, 500],
  ['a slow read is followed by four times its duration', 200, false, 800],
  ['a full read is followed by the next at once', 0, true, 0],
  ['a slow full read leaves the database to others', 200, true, 800],
  ['a reader never rests longer than a heartbeat', 10_000, false, 15_000],
] as const) {
  test(title, (t) => t.is(restMs({ readMs, isFull }, times), expected));
}
