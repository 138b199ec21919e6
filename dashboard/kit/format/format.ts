import { formatRelativeTime } from './format-relative-time.ts';

const numbers = new Intl.NumberFormat('en');

export function formatNumber(count: number): string {
  return numbers.format(count);
}

export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Returns "12 ms", "1.2 s", "3 min 4 s" or "2 h". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 10_000) return `${(durationMs / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return withRest(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return withRest(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function withRest(whole: number, unit: string, ...[rest, restUnit]: [number, string]): string {
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${restUnit}`;
}

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

/** Returns an instant as a `datetime-local` value, which is in the reader's time zone and has no seconds. */
export function localTimeOf(instant: string | Date): string {
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Parses a `datetime-local` value. Returns null for a partial one. */
export function parseLocalTime(text: string | null): string | null {
  if (!text) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
