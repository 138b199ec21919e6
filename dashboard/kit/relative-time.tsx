import { signal } from '@preact/signals';
import { formatExactTime, formatRelativeTime } from './format/format-relative-time.ts';

const lastTickMs = signal(Date.now());
const TICK_MS = 10_000;
setInterval(() => {
  if (!document.hidden) lastTickMs.value = Date.now();
}, TICK_MS);

export function RelativeTime({ at }: { readonly at: string }) {
  const instant = new Date(at);
  const now = new Date(Math.max(lastTickMs.value, Date.now()));
  return (
    <time dateTime={at} title={formatExactTime(instant)}>
      {formatRelativeTime(instant, now)}
    </time>
  );
}
