/** Formats a latency for people: `840 ms`, `1.2 s`, `3 min`. */
export function formatLatency(ms: number): string {
  if (ms < 1_000) return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
  if (ms < 120_000) return `${Number((ms / 1_000).toFixed(ms < 10_000 ? 1 : 0))} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
