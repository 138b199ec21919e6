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
