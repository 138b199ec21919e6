const DAY_SECONDS = 86_400;
const LONG_SECONDS = 2 * DAY_SECONDS;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

export function formatAxisTime(seconds: number, spanSeconds: number): string {
  const at = new Date(seconds * 1000);
  if (spanSeconds < LONG_SECONDS) return clock.format(at);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  return isMidnight ? day.format(at) : `${day.format(at)} ${clock.format(at)}`;
}
