const units = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1_000 },
] as const;
/** Below this, a number of seconds would be outdated before it is read. */
const NOW_MS = 5_000;
/** From then on, a date is clearer than a number of days. */
const FAR_MS = 14 * 86_400_000;

export interface TimeDistance {
  /** Negative in the past. */
  readonly count: number;
  readonly unit: (typeof units)[number]['unit'];
}

/** Returns how people name the distance of an instant from now. `far` stands for its date. */
export function timeDistance(atMs: number, nowMs: number): TimeDistance | 'now' | 'far' {
  const distanceMs = Math.abs(atMs - nowMs);
  if (distanceMs < NOW_MS) return 'now';
  const found = units.find(({ ms }) => distanceMs >= ms);
  if (found === undefined || distanceMs >= FAR_MS) return 'far';
  return { count: Math.sign(atMs - nowMs) * Math.round(distanceMs / found.ms), unit: found.unit };
}
