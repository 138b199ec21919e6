import { timeDistance } from '../../../contract/text/time-distance.ts';

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** Returns "3 minutes ago" or "in 2 hours", or a distant date. */
export function formatRelativeTime(at: Date, now: Date): string {
  const distance = timeDistance(at.getTime(), now.getTime());
  if (distance === 'now') return 'just now';
  return distance === 'far' ? dates.format(at) : words.format(distance.count, distance.unit);
}

/** Returns "9:05 AM", for a time within the hour. */
export function formatClockTime(at: Date): string {
  return clock.format(at);
}

export function formatExactTime(at: Date): string {
  return exact.format(at);
}
