const shown = new Intl.DateTimeFormat('en', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});

interface Span {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** Returns "since 3 Nov, 10:00", "before …" or "3 Nov, 10:00 – 3 Nov, 11:00". */
export function formatSpan({ since, until }: Span, now: Date): string {
  const format = (instant: string): string => {
    const at = new Date(instant);
    const text = shown.format(at);
    return at.toDateString() === now.toDateString() ? text.slice(text.lastIndexOf(',') + 1).trim() : text;
  };
  if (since !== undefined && until !== undefined) return `${format(since)} – ${format(until)}`;
  if (since !== undefined) return `since ${format(since)}`;
  return until === undefined ? 'all' : `before ${format(until)}`;
}
