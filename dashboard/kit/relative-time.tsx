import { signal } from '@preact/signals';
import { exactTimeText, relativeTimeText } from './texts/relative-time-text.ts';

/** All times on the page grow old together. */
const lastTickMs = signal(Date.now());
const TICK_MS = 10_000;
setInterval(() => {
  if (!document.hidden) lastTickMs.value = Date.now();
}, TICK_MS);

/** An instant of the API as people speak of it; the exact one shows when pointed at. */
export function RelativeTime({ at }: { readonly at: string }) {
  const instant = new Date(at);
  const now = new Date(Math.max(lastTickMs.value, Date.now()));
  return (
    <time dateTime={at} title={exactTimeText(instant)}>
      {relativeTimeText(instant, now)}
    </time>
  );
}
