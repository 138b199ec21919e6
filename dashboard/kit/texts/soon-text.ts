import { relativeTimeText } from './relative-time-text.ts';

/** Within it, an instant that is said to the second is over before it is read. */
const ANY_MOMENT_MS = 5_000;

/** When something that is due will be: "in 20 seconds", or "any moment". */
export function soonText(at: string, now: Date): string {
  const instant = new Date(at);
  return instant.getTime() - now.getTime() < ANY_MOMENT_MS ? 'any moment' : relativeTimeText(instant, now);
}

/** How long ago something was, within a sentence: "since 3 minutes ago", "since a moment ago". */
export function agoText(at: string, now: Date): string {
  const text = relativeTimeText(new Date(at), now);
  return text === 'just now' ? 'a moment ago' : text;
}
