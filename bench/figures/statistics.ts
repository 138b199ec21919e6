export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Uses the nearest rank; values need no order. */
export function percentile(values: ArrayLike<number>, percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(rank - 1, 0)] ?? Number.NaN;
}

export function durationsMs(fromMs: Float64Array, toMs: Float64Array): Float64Array {
  return fromMs
    .map((from, index) => toMs[index]! - from)
    .filter((_, index) => toMs[index] !== 0 && fromMs[index] !== 0);
}
