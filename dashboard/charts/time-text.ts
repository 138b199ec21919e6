const DAY_SECONDS = 86_400;
/** Beyond it, hours alone would come several times along the axis. */
const LONG_SECONDS = 2 * DAY_SECONDS;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** An instant along an axis of this length, in the reader's time zone: the time of day, or the day. */
export function timeText(seconds: number, spanSeconds: number): string {
  const at = new Date(seconds * 1000);
  if (spanSeconds < LONG_SECONDS) return clock.format(at);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  return isMidnight ? day.format(at) : `${day.format(at)} ${clock.format(at)}`;
}
