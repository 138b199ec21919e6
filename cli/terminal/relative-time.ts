const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Below this, seconds would be outdated before they are read. */
const NOW_MS = 5 * SECOND;
/** From then on, the date says more. */
const MAX_DAYS = 30;

/** Returns `3 min ago`, `in 2 h`, or the date of a time that is more than 30 days away. */
export function relativeTime(instant: string, nowMs: number): string {
  const differenceMs = nowMs - Date.parse(instant);
  const distanceMs = Math.abs(differenceMs);
  if (Number.isNaN(distanceMs)) return instant;
  if (distanceMs < NOW_MS) return 'just now';
  if (distanceMs >= MAX_DAYS * DAY) return instant.slice(0, 'yyyy-mm-dd'.length);
  const distance = inLargestUnit(distanceMs);
  return differenceMs > 0 ? `${distance} ago` : `in ${distance}`;
}

function inLargestUnit(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}
