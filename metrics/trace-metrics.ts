import type { MetricRegistry } from './registry.ts';

export interface SpanCounts {
  readonly exported: number;
  readonly failed: number;
  readonly dropped: number;
}

/** Spans of sampled traces by what happened to them. */
export function addTraceMetrics(registry: MetricRegistry, read: () => SpanCounts): void {
  const spans = registry.counter({
    name: 'channels_spans_total',
    help: 'Ended spans by outcome: exported, failed (the collector did not take them) or dropped (the queue was full).',
  });
  let last: SpanCounts = { exported: 0, failed: 0, dropped: 0 };
  registry.beforeExposition(() => {
    const counts = read();
    for (const outcome of ['exported', 'failed', 'dropped'] as const) {
      spans.add(counts[outcome] - last[outcome], { outcome });
    }
    last = counts;
  });
}
