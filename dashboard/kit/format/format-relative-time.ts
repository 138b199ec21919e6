const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;
/** Above this, a date is clearer than a number of days. */
const LONGEST_SECONDS = 14 * 86_400;
const NOW_SECONDS = 5;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** Returns "3 minutes ago" or "in 2 hours", or a distant date. */
export function formatRelativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) < NOW_SECONDS) return 'just now';
  if (Math.abs(seconds) >= LONGEST_SECONDS) return dates.format(at);
  const { unit, seconds: length } = units.find((one) => Math.abs(seconds) >= one.seconds) ?? units[3];
  return words.format(Math.round(seconds / length), unit);
}

export function formatExactTime(at: Date): string {
  return exact.format(at);
}
