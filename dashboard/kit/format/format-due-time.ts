import { formatRelativeTime } from './format-relative-time.ts';

/** Below this, a countdown would be outdated before it is read. */
const ANY_MOMENT_MS = 5_000;

/** Returns "in 20 seconds" or "any moment". */
export function formatDueTime(at: string, now: Date): string {
  const instant = new Date(at);
  return instant.getTime() - now.getTime() < ANY_MOMENT_MS ? 'any moment' : formatRelativeTime(instant, now);
}

/** Returns "3 minutes ago" or "a moment ago", for use within a sentence. */
export function formatTimeAgo(at: string, now: Date): string {
  const text = formatRelativeTime(new Date(at), now);
  return text === 'just now' ? 'a moment ago' : text;
}
