import test from 'ava';
import { formatRelativeTime } from '../../../../dashboard/kit/format/format-relative-time.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const after = (seconds: number): string => formatRelativeTime(new Date(now.getTime() + seconds * 1000), now);

test('near times are formatted relatively', (t) => {
  t.is(after(-2), 'just now');
  t.is(after(-20), '20 seconds ago');
  t.is(after(-100), '2 minutes ago');
  t.is(after(-3 * 3600), '3 hours ago');
  t.is(after(-86_400), 'yesterday');
  t.is(after(90 * 60), 'in 2 hours');
  t.is(after(7 * 86_400), 'in 7 days');
});

test('far times are formatted as dates', (t) => {
  t.is(after(-60 * 86_400), 'Jan 9, 2026');
});
