export interface Change {
  /** Precedes "than the day before". */
  readonly text: string;
}

/** Returns null if there is nothing to compare with. */
export function changeOf(now: number, before: number): Change | null {
  if (before === 0) return null;
  const percent = Math.round((100 * (now - before)) / before);
  if (percent === 0) return { text: 'not more or less' };
  return { text: `${Math.abs(percent).toLocaleString('en')} % ${percent > 0 ? 'more' : 'fewer'}` };
}

interface Ended {
  readonly delivered: number;
  readonly failed: number;
}

/** The share of ended deliveries that were delivered. Returns null without any. */
export function successRate({ delivered, failed }: Ended): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}
