const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;
/** From here on, the date says more than a count of days. */
const LONGEST_SECONDS = 14 * 86_400;
const NOW_SECONDS = 5;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** How long ago, or in how long: "3 minutes ago", "in 2 hours"; the date where that is far away. */
export function relativeTimeText(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) < NOW_SECONDS) return 'just now';
  if (Math.abs(seconds) >= LONGEST_SECONDS) return dates.format(at);
  const { unit, seconds: length } = units.find((one) => Math.abs(seconds) >= one.seconds) ?? units[3];
  return words.format(Math.round(seconds / length), unit);
}

/** The instant to the second, in the reader's own time zone, which is named. */
export function exactTimeText(at: Date): string {
  return exact.format(at);
}
